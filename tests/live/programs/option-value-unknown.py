"""A reduction is called by a name that the loss does not know."""
# expect: option-value-unknown
import sys

import torch
from torch.nn import functional

loss = functional.cross_entropy(
    torch.randn(2, 3), torch.tensor([0, 1]), reduction="mean" if "--fixed" in sys.argv else "average"
)
print(loss.item() > 0)
