"""Integer labels in BCEWithLogitsLoss."""
# expect: target-dtype-not-float
import sys

import torch

y = torch.tensor([0, 1, 1, 0])
if "--fixed" in sys.argv:
    y = y.float()
loss = torch.nn.BCEWithLogitsLoss()(torch.randn(4, requires_grad=True), y)
loss.backward()
print("step done")
