"""Rows of unlike length were saved as objects."""
# expect: numpy-load-needs-pickle
import sys
import tempfile

import numpy as np

with tempfile.TemporaryDirectory() as folder:
    rows = np.array([[1, 2], [3]], dtype=object)
    np.save(f"{folder}/rows.npy", rows)
    print(len(np.load(f"{folder}/rows.npy", allow_pickle="--fixed" in sys.argv)))
