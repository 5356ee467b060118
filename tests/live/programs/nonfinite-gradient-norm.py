"""The gradient of log at 0 can not be clipped."""
# expect: nonfinite-gradient-norm
import sys

import torch

w = torch.nn.Parameter(torch.zeros(2))
floor = 1e-6 if "--fixed" in sys.argv else 0.0
loss = -torch.log(w + floor).sum()
loss.backward()
torch.nn.utils.clip_grad_norm_([w], 1.0, error_if_nonfinite=True)
print("clipped")
