"""One old name still works with a warning, the next one is gone."""
# notes: numpy-deprecation
# expect: attribute-renamed-or-removed
import sys

import numpy as np

if "--fixed" in sys.argv:
    kind = float
else:
    multiarray = np.core.multiarray
    kind = np.float
print("epoch 1/1 mean", np.ones(3, dtype=kind).mean())
