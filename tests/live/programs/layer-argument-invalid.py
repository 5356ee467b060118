"""A kernel size that was computed to 0."""
# expect: layer-argument-invalid
import sys

import torch

size = 7
kernel = size // 8 if "--fixed" not in sys.argv else max(1, size // 8)
print(torch.nn.functional.avg_pool2d(torch.rand(1, 1, size, size), kernel).shape)
