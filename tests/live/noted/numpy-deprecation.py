"""NumPy's inner modules are reached by their old name."""
# notes: numpy-deprecation
import sys

import numpy as np

if "--fixed" not in sys.argv:
    multiarray = np.core.multiarray
print("epoch 1/1 mean", np.ones(3).mean())
