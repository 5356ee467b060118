"""The whole shape of an image is given as its new size."""
# expect: interpolation-arguments-invalid
import sys

import torch
from torch.nn import functional

image, other = torch.randn(1, 3, 8, 8), torch.randn(3, 16, 16)
print(functional.interpolate(image, size=other.shape[-2:] if "--fixed" in sys.argv else other.shape).shape)
