"""A line of a table was cut in the middle."""

# expect: table-columns-uneven
import io
import sys

import numpy as np

rows = "1,2,3\n4,5,6\n" + ("7,8,9\n" if "--fixed" in sys.argv else "7,\n")
rows = rows.replace("7,\n", "7\n")
print(np.genfromtxt(io.StringIO(rows), delimiter=",").mean())
