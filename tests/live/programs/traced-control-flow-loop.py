"""A loop runs over the rows of a tensor while torch.fx traces it."""
# expect: traced-control-flow
# place: for row in x)
import sys

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if "--fixed" in sys.argv:
            return (x * 2).sum(0)
        return sum(row * 2 for row in x)


print(torch.fx.symbolic_trace(Net())(torch.ones(2, 3)))
