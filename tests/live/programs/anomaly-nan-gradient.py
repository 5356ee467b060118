"""Anomaly mode finds the square root at zero."""
# cause: sqrt-at-zero
import sys

import torch

torch.autograd.set_detect_anomaly(True)
x = torch.zeros(2, 3, requires_grad=True)
eps = 1e-8 if "--fixed" in sys.argv else 0.0
norm = torch.sqrt((x**2).sum(1) + eps)
loss = norm.sum() * 0
loss.backward()
print("step done")
