"""A ReLU output is changed in place before backward."""
# expect: inplace-modified
import sys

import torch

x = torch.randn(4, 4, requires_grad=True)
h = torch.sigmoid(x)
if "--fixed" in sys.argv:
    h = h + 1
else:
    h += 1
loss = (h * 2).sum()
loss.backward()
print("step done")
