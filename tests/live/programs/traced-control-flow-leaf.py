"""A branch stands in a function that need not be traced."""
# expect: traced-control-flow
# place:     if x.sum() > 0
import sys

import torch


def doubled(x):
    if x.sum() > 0:
        return x * 2
    return x


if "--fixed" in sys.argv:
    torch.fx.wrap("doubled")


class Net(torch.nn.Module):
    def forward(self, x):
        return doubled(x) + 1


print(torch.fx.symbolic_trace(Net())(torch.ones(2, 3)))
