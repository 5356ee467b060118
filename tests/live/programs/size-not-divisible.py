"""The channels do not suit the factor of a pixel shuffle."""
# expect: size-not-divisible
import sys

import torch
from torch.nn import functional

channels = 12 if "--fixed" in sys.argv else 3
print(functional.pixel_shuffle(torch.randn(1, channels, 4, 4), 2).shape)
