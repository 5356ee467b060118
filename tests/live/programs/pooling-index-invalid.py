"""The indices of another pooling layer."""
# expect: pooling-index-invalid
import sys

import torch
from torch import nn

pool, unpool = nn.MaxPool2d(2, return_indices=True), nn.MaxUnpool2d(2)
x = torch.randn(1, 1, 8, 8)
y, indices = pool(x)
z, inner = pool(y)
out = unpool(z, inner if "--fixed" in sys.argv else indices[..., 2:, 2:])
print(out.shape)
