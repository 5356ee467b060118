"""A model that was built on the meta device for its sizes alone is asked for a weight as an array."""
# expect: meta-tensor-without-data
import sys

import torch
from torch import nn

device = "cpu" if "--fixed" in sys.argv else "meta"
model = nn.Linear(4, 2, device=device)
print(model.weight.detach().numpy().mean())
