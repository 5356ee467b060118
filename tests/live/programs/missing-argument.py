"""forward wants a mask."""
# expect: missing-argument
import sys

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, mask):
        return x * mask


x = torch.randn(2, 3)
print((Net()(x, torch.ones(3)) if "--fixed" in sys.argv else Net()(x)).shape)
