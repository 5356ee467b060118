"""A table holds a line with one number too many."""

# expect: table-columns-uneven
import io
import sys

import numpy as np

rows = "1 2 3\n4 5 6\n" + ("7 8 9\n" if "--fixed" in sys.argv else "7 8 9 10\n")
print(np.loadtxt(io.StringIO(rows)).mean())
