"""Ids that are floats."""
# expect: index-type-invalid
import sys

import torch

ids = torch.tensor([1.0, 2.0])
if "--fixed" in sys.argv:
    ids = ids.long()
print(torch.nn.Embedding(10, 4)(ids).shape)
