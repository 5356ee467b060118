"""Class weights for two of three classes."""
# expect: class-weight-size
import sys

import torch

y = torch.tensor([0, 1, 1, 0])
weight = torch.bincount(y, minlength=3 if "--fixed" in sys.argv else 0).float()
loss = torch.nn.CrossEntropyLoss(weight=weight)(torch.randn(4, 3, requires_grad=True), y)
loss.backward()
print("step done")
