"""The mask of an average takes nothing."""
# expect: zero-division
import sys

import numpy as np

mask = np.array([0, 1]) if "--fixed" in sys.argv else np.array([0, 0])
print(np.average([0.5, 0.7], weights=mask))
