"""A record array is asked for a column that it lacks."""
# expect: key-missing
import sys

import numpy as np

table = np.zeros(2, dtype=[("image", int), ("label", int)])
print(table["label" if "--fixed" in sys.argv else "target"])
