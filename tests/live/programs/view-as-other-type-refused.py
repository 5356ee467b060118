"""The numbers should be converted, and view() reads their bytes."""
# expect: view-as-other-type-refused
import sys

import numpy as np

pixels = np.zeros((4, 5), dtype=np.uint8)
print(pixels.astype(np.float32).sum() if "--fixed" in sys.argv else pixels.view(np.float32).sum())
