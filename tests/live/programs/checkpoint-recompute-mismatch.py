"""A checkpointed block takes another path when it is run again."""

# expect: checkpoint-recompute-mismatch
import sys

import torch
from torch.utils.checkpoint import checkpoint

calls = 0


def block(x):
    global calls
    calls += 1
    if calls == 1 or "--fixed" in sys.argv:
        return (x * 2).sin()
    return (x[:2] * 2).sin()  # the second run takes another path


x = torch.ones(4, requires_grad=True)
checkpoint(block, x, use_reentrant=False).sum().backward()
print(x.grad)
