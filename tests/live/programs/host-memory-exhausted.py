"""A tensor of petabytes is allocated."""

# expect: host-memory-exhausted
import sys

import torch

samples = 1000 if "--fixed" in sys.argv else 10**12
cache = torch.empty(samples, 512)
print(cache.shape)
