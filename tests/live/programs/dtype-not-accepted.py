"""A mask of zeros and ones is made of floats."""
# expect: dtype-not-accepted
import sys

import torch

scores, mask = torch.randn(2, 3), torch.tensor([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
print(scores.masked_fill(mask.bool() if "--fixed" in sys.argv else mask, float("-inf")).shape)
