"""A convolution that halves its input is asked to keep its size."""
# expect: feature-not-supported
import sys

import torch
from torch import nn

layer = nn.Conv2d(3, 8, 3, stride=2, padding=1 if "--fixed" in sys.argv else "same")
print(layer(torch.randn(1, 3, 8, 8)).shape)
