"""Weights by the inverse root of a distance, one of which is 0, where errors are raised."""
# expect: numpy-divide-by-zero
# cause: power-of-zero
import sys

import numpy as np

np.seterr(divide="raise")
points = np.random.default_rng(0).normal(size=(20, 2))
distance = np.linalg.norm(points - points[0], axis=1)
if "--fixed" in sys.argv:
    distance = distance + 1e-6
weights = distance**-0.5
print(weights / weights.sum())
