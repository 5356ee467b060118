"""copy=False may not copy in NumPy 2."""
# expect: numpy-two-behaviour
import sys

import numpy as np

x = [1, 2, 3]
print((np.asarray(x) if "--fixed" in sys.argv else np.array(x, copy=False)).shape)
