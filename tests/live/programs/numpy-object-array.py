"""Rows of unlike length can not become an array."""
# expect: numpy-object-array
import sys

import numpy as np

rows = [[1, 2, 3], [4, 5]]
if "--fixed" in sys.argv:
    rows = [r + [0] * (3 - len(r)) for r in rows]
print(np.array(rows).shape)
