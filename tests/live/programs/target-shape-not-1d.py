"""Labels of shape (N, 1) in CrossEntropyLoss."""
# expect: target-shape-not-1d
import sys

import torch

y = torch.tensor([[0], [2], [1], [1]])
if "--fixed" in sys.argv:
    y = y.squeeze(1)
loss = torch.nn.CrossEntropyLoss()(torch.randn(4, 3, requires_grad=True), y)
loss.backward()
print("step done")
