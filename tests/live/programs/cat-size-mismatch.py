"""A U-Net's skip connection with an odd image size."""
# expect: cat-size-mismatch
import sys

import torch
from torch import nn
from torch.nn import functional


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 4, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)

    def forward(self, x):
        u = self.up(self.down(x))
        if "--fixed" in sys.argv:
            u = functional.interpolate(u, size=x.shape[-2:])
        return torch.cat((x, u), dim=1)


print(UNet()(torch.randn(1, 1, 27, 32)).shape)
