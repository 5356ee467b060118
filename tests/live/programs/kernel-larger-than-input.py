"""Too many poolings for a small image."""
# expect: kernel-larger-than-input
import sys

import torch
from torch import nn

pools = 2 if "--fixed" in sys.argv else 4
net = nn.Sequential(*[nn.MaxPool2d(2) for _ in range(pools)])
print(net(torch.randn(1, 3, 8, 8)).shape)
