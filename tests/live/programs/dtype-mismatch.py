"""Data from NumPy is float64, the model float32."""
# expect: dtype-mismatch
import sys

import numpy as np
import torch

x = torch.from_numpy(np.random.rand(8, 4))
if "--fixed" in sys.argv:
    x = x.float()
print(torch.nn.Linear(4, 2)(x).shape)
