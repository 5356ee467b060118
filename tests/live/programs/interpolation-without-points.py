"""The sample points of an interpolation are an empty list."""
# expect: empty-tensor-list
import sys

import numpy as np

epochs = [0, 10] if "--fixed" in sys.argv else []
print(np.interp(5, epochs, [0.1 for _ in epochs]))
