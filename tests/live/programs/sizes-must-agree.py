"""Images and the grids that sample them have unlike batch sizes."""
# expect: sizes-must-agree
import sys

import torch
from torch.nn import functional

images = torch.randn(4, 3, 8, 8)
grid = torch.zeros(1, 8, 8, 2)
if "--fixed" in sys.argv:
    grid = grid.expand(4, -1, -1, -1)
print(functional.grid_sample(images, grid, align_corners=False).shape)
