"""An array is resized while a view of it lives."""
# expect: array-resize-refused
import sys

import numpy as np

buffer = np.zeros(3)
head = buffer[:2]
if "--fixed" in sys.argv:
    buffer = np.resize(buffer, 10)
else:
    buffer.resize(10)
print(head.shape, buffer.shape)
