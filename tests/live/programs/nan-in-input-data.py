"""An empty cell becomes nan and then an integer."""
# expect: nan-in-input-data
import io
import sys

import numpy as np

table = np.genfromtxt(io.StringIO("1,2\n3,\n"), delimiter=",")
if "--fixed" in sys.argv:
    table = np.nan_to_num(table)
labels = [int(v) for v in table[:, 1]]
print(labels)
