"""A custom operation has no fake kernel, so that it can not be compiled."""
# expect: dynamo-fake-tensor-failed
# cause: op-without-fake-kernel
# place: return torch.ops.mylayers
import sys

import torch


@torch.library.custom_op("mylayers::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


if "--fixed" in sys.argv:
    double.register_fake(torch.empty_like)


@torch.compile(backend="eager")
def step(x):
    return torch.ops.mylayers.double(x).sum()


print(step(torch.ones(2, 3)))
