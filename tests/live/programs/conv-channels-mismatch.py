"""A grey image in a network for colour."""
# expect: conv-channels-mismatch
import sys

import torch

image = torch.rand(1, 1, 16, 16)
if "--fixed" in sys.argv:
    image = image.expand(-1, 3, -1, -1)
print(torch.nn.Conv2d(3, 8, 3)(image).shape)
