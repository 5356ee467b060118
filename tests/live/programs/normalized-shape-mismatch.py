"""A BatchNorm that does not follow the convolution."""
# expect: normalized-shape-mismatch
import sys

import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16 if "--fixed" in sys.argv else 8))
print(net(torch.randn(2, 3, 8, 8)).shape)
