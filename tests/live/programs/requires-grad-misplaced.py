"""A leaf that is no leaf any more."""
# expect: requires-grad-misplaced
import sys

import torch

w = torch.randn(3, requires_grad=True) * 0.01
if "--fixed" in sys.argv:
    w = torch.nn.Parameter(0.01 * torch.randn(3))
opt = torch.optim.SGD([w], lr=0.1)
print("optimizer made")
