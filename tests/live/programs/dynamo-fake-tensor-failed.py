"""Two matrices do not fit each other, and torch.compile finds it while it traces."""
# expect: dynamo-fake-tensor-failed
# cause: shape-or-type-error
# place: return x @ w
import sys

import torch


@torch.compile(backend="eager")
def step(x, w):
    return x @ w


print(step(torch.ones(2, 3), torch.ones(3 if "--fixed" in sys.argv else 4, 5)).shape)
