"""Binary labels 1 and 2 in BCE."""
# expect: labels-not-zero-one
import sys

import torch

y = torch.tensor([1.0, 2.0, 2.0, 1.0])
if "--fixed" in sys.argv:
    y = (y == 2).float()
p = torch.sigmoid(torch.randn(4, requires_grad=True))
loss = torch.nn.BCELoss()(p, y)
loss.backward()
print("step done")
