"""An index that equals the size."""
# expect: index-out-of-bounds, off-by-one
import sys

import torch

scores = torch.randn(10)
i = 10
if "--fixed" in sys.argv:
    i = i - 1
print(scores[i].shape)
