"""A quantised tensor meets an operation for floats."""
# expect: op-missing-for-backend
# cause: sparse-or-quantised-input
# place: torch.exp(x)
import sys

import torch

x = torch.quantize_per_tensor(torch.ones(4, 4), 0.1, 0, torch.quint8)
if "--fixed" in sys.argv:
    x = x.dequantize()
print(torch.exp(x).shape)
