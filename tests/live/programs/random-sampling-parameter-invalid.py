"""A probability above 1."""
# expect: random-sampling-parameter-invalid
import sys

import torch

scores = torch.tensor([0.5, 1.7])
if "--fixed" in sys.argv:
    scores = scores.sigmoid()
print(torch.bernoulli(scores).shape)
