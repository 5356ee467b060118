"""A void label 255 reaches a loss that was not told of it."""
# expect: ignore-value-left, target-out-of-range
import sys

import torch

out = torch.randn(2, 4, 8, 8, requires_grad=True)
mask = torch.randint(0, 4, (2, 8, 8))
mask[0, 0, 0] = 255
crit = torch.nn.CrossEntropyLoss(ignore_index=255 if "--fixed" in sys.argv else -100)
crit(out, mask).backward()
print("step done")
