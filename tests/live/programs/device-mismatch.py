"""A tensor on the meta device stands for one that was not moved."""
# expect: device-mismatch, meta-tensor-without-data
import sys

import torch

weight = torch.empty(2, 3, device="cpu" if "--fixed" in sys.argv else "meta")
print((torch.randn(2, 3) + weight).shape)
