"""An array of NumPy is given to the loader of weights."""
# expect: file-is-not-a-checkpoint
# cause: other-format
# place: torch.load(path)
import sys
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import torch

path = Path(mkdtemp()) / "features.pt"
with path.open("wb") as file:
    np.save(file, np.ones(3))
features = torch.from_numpy(np.load(path)) if "--fixed" in sys.argv else torch.load(path)
print(features.shape)
