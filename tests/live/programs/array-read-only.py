"""An array over the bytes of a buffer is read-only."""
# expect: array-read-only
import sys

import numpy as np

x = np.frombuffer(b"\x00" * 16, dtype=np.float32)
if "--fixed" in sys.argv:
    x = x.copy()
x[0] = 1.0
print(x.sum())
