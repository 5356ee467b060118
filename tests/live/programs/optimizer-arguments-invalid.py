"""A beta of Adam is 1."""
# expect: optimizer-arguments-invalid
import sys

import torch

weight = torch.zeros(2, requires_grad=True)
print(type(torch.optim.Adam([weight], betas=(0.9, 0.999 if "--fixed" in sys.argv else 1.0))).__name__)
