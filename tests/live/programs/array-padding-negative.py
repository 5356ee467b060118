"""A sequence is longer than what it is padded to."""
# expect: layer-argument-invalid
import sys

import numpy as np

x, length = np.ones(12), 10
if "--fixed" in sys.argv:
    x = x[:length]
print(np.pad(x, (0, length - len(x))).shape)
