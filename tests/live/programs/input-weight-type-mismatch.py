"""A float64 image in a float32 convolution."""
# expect: input-weight-type-mismatch
import sys

import numpy as np
import torch

image = torch.from_numpy(np.random.rand(1, 3, 8, 8))
if "--fixed" in sys.argv:
    image = image.float()
print(torch.nn.Conv2d(3, 4, 3)(image).shape)
