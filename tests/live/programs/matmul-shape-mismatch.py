"""The first Linear was built for another image size."""
# expect: matmul-shape-mismatch
import sys

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.fc = nn.Linear(7200 if "--fixed" in sys.argv else 1152, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        return self.fc(torch.flatten(x, 1))


print(Net()(torch.randn(2, 1, 32, 32)).shape)
