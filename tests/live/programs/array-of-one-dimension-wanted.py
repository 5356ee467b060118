"""A function of one dimension gets a matrix."""
# expect: input-dimensions-wrong
import sys

import numpy as np

edges, x = np.array([0.0, 0.5, 1.0]), np.ones((4, 2))
print(np.searchsorted(edges, x).shape if "--fixed" in sys.argv else np.searchsorted(np.stack([edges, edges]), x))
