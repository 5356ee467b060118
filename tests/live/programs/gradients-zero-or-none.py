"""A loss that does not depend on the second network."""
# expect: gradients-zero-or-none
import sys

import torch

a, b = torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True)
loss = (a * b).sum() if "--fixed" in sys.argv else (a * b.detach()).sum()
print(len(torch.autograd.grad(loss, [a, b])))
