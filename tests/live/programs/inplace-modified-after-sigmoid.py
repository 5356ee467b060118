"""A tensor is changed in place after sigmoid kept it for its gradient."""
# expect: inplace-modified
# cause: inplace-after-use
# place: .sum().backward()
import sys
import torch
x = torch.randn(4, requires_grad=True)
y = torch.sigmoid(x)
if "--fixed" in sys.argv:
    z = y + 1
else:
    y += 1
    z = y
z.sum().backward()
print(x.grad.shape)
