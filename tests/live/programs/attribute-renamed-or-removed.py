"""np.Inf left NumPy in version 2."""
# expect: attribute-renamed-or-removed
import sys

import numpy as np

best = np.inf if "--fixed" in sys.argv else np.Inf
print(best > 0)
