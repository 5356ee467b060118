"""Class labels that are floats."""
# expect: target-dtype-not-long
import sys

import torch

y = torch.tensor([0.0, 2.0, 1.0, 1.0])
if "--fixed" in sys.argv:
    y = y.long()
loss = torch.nn.CrossEntropyLoss()(torch.randn(4, 3, requires_grad=True), y)
loss.backward()
print("step done")
