"""Layers in a plain list are no parameters."""
# expect: no-trainable-parameters
import sys

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Linear(4, 4) for _ in range(2)]
        self.layers = nn.ModuleList(layers) if "--fixed" in sys.argv else layers


opt = torch.optim.SGD(Net().parameters(), lr=0.1)
print("optimizer made")
