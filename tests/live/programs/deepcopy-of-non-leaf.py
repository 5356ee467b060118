"""A module keeps a result of its forward pass, and is then copied for an average of its weights."""
# expect: deepcopy-of-non-leaf
# cause: result-kept-on-the-module
# place: copy.deepcopy(model)
import copy
import sys

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        z = self.layer(x)
        center = z.mean(0)
        self.center = center.detach() if "--fixed" in sys.argv else center
        return z - self.center


model = Net()
model(torch.randn(8, 4)).sum().backward()
average = copy.deepcopy(model)
print(average.center.shape)
