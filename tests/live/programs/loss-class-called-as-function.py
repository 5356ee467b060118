"""nn.CrossEntropyLoss(out, y) makes a loss with options out and y."""
# expect: loss-class-called-as-function
import sys

import torch
from torch import nn

out, y = torch.randn(4, 3, requires_grad=True), torch.tensor([0, 2, 1, 1])
if "--fixed" in sys.argv:
    loss = nn.CrossEntropyLoss()(out, y)
else:
    loss = nn.CrossEntropyLoss(out, y)
loss.backward()
print("step done")
