"""The sides of a linear system have unlike sizes."""
# expect: broadcast-shape-mismatch
import sys

import numpy as np

right = np.ones(3 if "--fixed" in sys.argv else 2)
print(np.linalg.solve(np.eye(3), right))
