"""A negative ignore value in an unsigned mask."""
# expect: integer-wraparound
import sys

import numpy as np

dtype = np.int16 if "--fixed" in sys.argv else np.uint8
mask = np.full((4, 4), 300, dtype=dtype)
print(mask.dtype)
