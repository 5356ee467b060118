"""Two features of unlike width are added."""
# expect: broadcast-shape-mismatch
import sys

import torch

a, b = torch.randn(2, 30), torch.randn(2, 40)
if "--fixed" in sys.argv:
    b = torch.nn.Linear(40, 30)(b)
print((a + b).shape)
