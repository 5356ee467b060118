"""Anomaly mode finds the logarithm of a probability that is 0."""
# expect: anomaly-nan-gradient
# cause: log-of-nonpositive
import sys

import torch

torch.autograd.set_detect_anomaly(True)
logits = torch.tensor([[200.0, -200.0], [0.5, 1.0]], requires_grad=True)
p = logits.softmax(1)
if "--fixed" in sys.argv:
    p = p.clamp_min(1e-8)
entropy = -(p * p.log()).nansum(1)
entropy.mean().backward()
print("step done")
