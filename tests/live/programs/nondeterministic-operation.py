"""Determinism is demanded of an operation that has none."""

# expect: nondeterministic-operation
import sys

import torch

torch.use_deterministic_algorithms("--fixed" not in sys.argv)
x = torch.ones(1, 1, 4, requires_grad=True)
torch.nn.functional.interpolate(x, scale_factor=2).sum()
torch.ones(4, 4).put_(torch.tensor([0, 0]), torch.ones(2), accumulate=False)
print("done")
