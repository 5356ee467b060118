"""A negative repeat count."""
# expect: segment-lengths-invalid
import sys

import torch

lengths = torch.tensor([2, -1, 3])
if "--fixed" in sys.argv:
    lengths = lengths.clamp_min(0)
print(torch.repeat_interleave(torch.arange(3), lengths).shape)
