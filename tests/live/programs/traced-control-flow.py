"""A branch looks at a tensor while torch.fx traces it."""
# expect: traced-control-flow
# cause: branch-on-a-tensor
# place:         if x.sum() > 0
import sys

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if "--fixed" in sys.argv:
            return torch.where(x.sum() > 0, x * 2, x)
        if x.sum() > 0:
            x = x * 2
        return x


print(torch.fx.symbolic_trace(Net())(torch.ones(2)))
