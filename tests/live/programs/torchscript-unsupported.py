"""A scripted function takes any number of arguments."""
# expect: torchscript-unsupported
# cause: python-outside-of-the-subset
# place: torch.jit.script(
import sys

import torch


def total(*parts: torch.Tensor):
    return torch.stack(parts).sum()


def total_of_two(a: torch.Tensor, b: torch.Tensor):
    return torch.stack([a, b]).sum()


scripted = torch.jit.script(total_of_two if "--fixed" in sys.argv else total)
print(scripted(torch.ones(2), torch.ones(2)))
