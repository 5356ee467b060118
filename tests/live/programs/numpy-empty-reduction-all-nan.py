"""A sensor that never reported: nanmax of its column has nothing to look at."""
# expect: numpy-empty-reduction
# cause: column-of-nan
import sys

import numpy as np
import torch

readings = np.random.default_rng(0).uniform(1, 9, size=(50, 3))
readings[:, 1] = np.nan
if "--fixed" in sys.argv:
    readings = readings[:, ~np.isnan(readings).all(axis=0)]
top = np.nanmax(readings, axis=0)
buckets = torch.tensor(np.nan_to_num(readings, nan=1.0) / top * 9)
counts = torch.bincount(buckets[0].long())
print(counts)
