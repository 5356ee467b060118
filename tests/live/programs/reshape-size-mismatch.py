"""A fixed batch size in view fails on the last, smaller batch."""
# expect: reshape-size-mismatch
import sys

import torch

batch_size = 8
for x in torch.randn(20, 6, 5).split(batch_size):
    n = x.size(0) if "--fixed" in sys.argv else batch_size
    print(x.view(n, 30).shape)
