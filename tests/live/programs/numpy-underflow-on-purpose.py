"""np.seterr(all="raise") stops at an exponential that may well become 0."""
# expect: numpy-underflow
# cause: errors-raised-on-purpose
import sys

import numpy as np

if "--fixed" in sys.argv:
    np.seterr(over="raise", divide="raise", invalid="raise")
else:
    np.seterr(all="raise")
scores = np.array([0.0, -10.0, -900.0])
weights = np.exp(scores)
print(weights / weights.sum())
