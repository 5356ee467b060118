"""A shape with a dimension less than the names."""
# expect: value-unpack-mismatch
import sys

import torch

x = torch.randn(3, 8, 8)
if "--fixed" in sys.argv:
    x = x[None]
b, c, h, w = x.shape
print(b, c, h, w)
