"""A time stamp is taken for a number of rows."""
# expect: layer-argument-invalid
import sys

import numpy as np

rows = 1_706_702_400_000_000_000
table = np.zeros((8 if "--fixed" in sys.argv else rows, 128))
print(table.shape)
