"""A branch on a tensor's value stands in a whole graph."""

# expect: dynamo-unsupported
import sys

import torch

full = "--fixed" not in sys.argv


@torch.compile(fullgraph=full, backend="eager")
def gate(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


print(gate(torch.ones(3)))
