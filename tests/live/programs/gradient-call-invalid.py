"""The gradient that backward starts from has another shape than the output."""
# expect: gradient-call-invalid
import sys

import torch

x = torch.zeros(4, requires_grad=True)
out = x * 2
out.backward(torch.ones_like(out) if "--fixed" in sys.argv else torch.ones(3))
print(x.grad.shape)
