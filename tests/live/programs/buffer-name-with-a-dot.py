"""A buffer is given a name with a dot."""
# expect: module-wrongly-built
import sys

import torch
from torch import nn

module = nn.Module()
module.register_buffer("scale_mean" if "--fixed" in sys.argv else "scale.mean", torch.zeros(2))
print(len(module.state_dict()))
