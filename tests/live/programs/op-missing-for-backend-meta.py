"""A mask on the meta device is searched for its ones, before it has values."""
# expect: op-missing-for-backend
# cause: meta-tensor-without-data
# place: torch.nonzero(mask)
import sys

import torch

with torch.device("cpu" if "--fixed" in sys.argv else "meta"):
    mask = torch.ones(8)
print(torch.nonzero(mask).shape)
