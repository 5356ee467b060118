"""bfloat16 does not exist in NumPy."""
# expect: dtype-name-invalid
import sys

import torch

x = torch.ones(2, dtype=torch.bfloat16)
if "--fixed" in sys.argv:
    x = x.float()
print(x.numpy().shape)
