"""An offset modulo a period that was never set, where warnings are errors."""
# expect: numpy-divide-by-zero
# cause: modulo-by-zero
import sys
import warnings

import numpy as np

warnings.simplefilter("error")
periods = np.array([24, 7, 0])
if "--fixed" in sys.argv:
    periods[2] = 365
print(np.int64(1000) % periods)
