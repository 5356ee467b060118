"""A sensor that never reported: nanmax of its column has nothing to look at, and gives nan."""
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
print(torch.multinomial(torch.tensor(top / np.nansum(top)), 1).shape)
