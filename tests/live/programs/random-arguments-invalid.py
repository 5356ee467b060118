"""More samples than items without replacement."""
# expect: random-arguments-invalid
import sys

import torch

p = torch.full((3,), 1 / 3)
k = 5
print(torch.multinomial(p, min(k, 3) if "--fixed" in sys.argv else k).shape)
