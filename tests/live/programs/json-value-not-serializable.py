"""A metric of NumPy is written as JSON."""

# cause: number-of-numpy-or-torch
# place: json.dumps(
import json
import sys

import numpy as np

accuracy = np.float32(0.5)
metrics = {"accuracy": float(accuracy) if "--fixed" in sys.argv else accuracy}
print(json.dumps(metrics))
