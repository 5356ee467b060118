"""A matrix of all pairs is allocated."""

# expect: host-memory-exhausted
import sys

import numpy as np

users = 1000 if "--fixed" in sys.argv else 4_000_000
distances = np.ones((users, users))
print(distances.shape)
