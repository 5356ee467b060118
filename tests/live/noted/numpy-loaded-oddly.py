"""NumPy is loaded a second time in one process."""
# notes: numpy-loaded-oddly
import importlib
import sys

import numpy as np

if "--fixed" not in sys.argv:
    importlib.reload(np)
print("epoch 1/1 mean", np.ones(3).mean())
