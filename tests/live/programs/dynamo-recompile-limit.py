"""A Python number that changes compiles the function anew."""

# expect: dynamo-recompile-limit
import sys

import torch

torch._dynamo.config.recompile_limit = 2


@torch.compile(backend="eager", dynamic=False, fullgraph=True)
def scale(x, step):
    return x * step


steps = [1] * 5 if "--fixed" in sys.argv else range(5)
for step in steps:
    scale(torch.ones(3), step)
print("done")
