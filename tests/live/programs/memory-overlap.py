"""An expanded tensor is written in place."""
# expect: memory-overlap
import sys

import torch

x = torch.zeros(3).expand(4, 3)
if "--fixed" in sys.argv:
    x = x.clone()
x += 1
print(x.shape)
