"""torch.where hides the root of a negative number, whose branch sends nan back nevertheless."""
# expect: anomaly-nan-gradient
# cause: nan-in-where-branch
import sys

import torch

torch.autograd.set_detect_anomaly(True)
x = torch.tensor([-1.0, 4.0, 9.0], requires_grad=True)
safe = torch.where(x > 0, x, 1.0) if "--fixed" in sys.argv else x
y = torch.where(x > 0, torch.sqrt(safe), torch.zeros_like(x))
y.sum().backward()
print("step done")
