"""The weights of a lazy layer are counted before its first batch."""
# expect: lazy-module-uninitialized
import sys
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")

model = nn.LazyLinear(3)
if "--fixed" in sys.argv:
    model(torch.zeros(1, 4))
print(sum(parameter.numel() for parameter in model.parameters()))
