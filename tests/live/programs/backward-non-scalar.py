"""A loss that was not reduced."""
# expect: backward-non-scalar
import sys

import torch

crit = torch.nn.CrossEntropyLoss(reduction="none")
loss = crit(torch.randn(4, 3, requires_grad=True), torch.tensor([0, 2, 1, 1]))
if "--fixed" in sys.argv:
    loss = loss.mean()
loss.backward()
print("step done")
