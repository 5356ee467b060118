"""A number is mapped as if it were a tensor."""
# expect: vmap-arguments-invalid
import sys

import torch

def scale(x, factor):
    return x * factor


print(torch.vmap(scale, in_dims=(0, None) if "--fixed" in sys.argv else 0)(torch.ones(3, 2), 2.0).shape)
