"""Class weights are counted over labels that hold an ignore value."""
# expect: bincount-input-invalid
import sys

import numpy as np

labels = np.array([0, 1, 2, -1, 1])
if "--fixed" in sys.argv:
    labels = labels[labels >= 0]
print(1.0 / np.bincount(labels, minlength=3))
