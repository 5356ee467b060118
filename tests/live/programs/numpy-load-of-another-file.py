"""A web page was saved in place of the array."""
# expect: numpy-load-needs-pickle
import sys
import tempfile
from pathlib import Path

import numpy as np

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "embeddings.npy")
    if "--fixed" in sys.argv:
        np.save(path, np.zeros(3))
    else:
        path.write_text("<html>404</html>")
    print(np.load(path).shape)
