"""A gradient step by hand without no_grad."""
# expect: leaf-inplace
import sys

import torch

w = torch.randn(3, requires_grad=True)
(w**2).sum().backward()
if "--fixed" in sys.argv:
    with torch.no_grad():
        w -= 0.1 * w.grad
else:
    w -= 0.1 * w.grad
print("step done")
