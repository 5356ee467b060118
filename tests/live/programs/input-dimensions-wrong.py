"""Features without a channel dimension in a convolution."""
# expect: input-dimensions-wrong
import sys

import torch

x = torch.rand(8, 16)
if "--fixed" in sys.argv:
    x = x[None, None]
print(torch.nn.Conv2d(1, 8, 3)(x).shape)
