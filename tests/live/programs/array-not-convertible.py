"""An array of another byte order is made a tensor."""
# expect: array-not-convertible
import sys

import numpy as np
import torch

pixels = np.arange(4).astype(">f4")
if "--fixed" in sys.argv:
    pixels = pixels.astype(pixels.dtype.newbyteorder("="))
print(torch.from_numpy(pixels).sum())
