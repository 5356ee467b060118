"""Anomaly mode finds a division by the length of an empty sequence."""
# expect: anomaly-nan-gradient
# cause: division-by-zero-in-normalization
import sys

import torch

torch.autograd.set_detect_anomaly(True)
mask = torch.tensor([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
score = torch.randn(2, 3, requires_grad=True)
weight = torch.sigmoid(score) * mask
share = weight / (weight.sum(1, keepdim=True) + (1e-8 if "--fixed" in sys.argv else 0.0))
share.nan_to_num(0.0).pow(2).sum().backward()
print("step done")
