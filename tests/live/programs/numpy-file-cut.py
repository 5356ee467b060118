"""The copy of a memory-mapped array stopped half way."""
# expect: checkpoint-corrupt
import sys
import tempfile
from pathlib import Path

import numpy as np

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "features.npy")
    np.save(path, np.zeros((100, 8)))
    if "--fixed" not in sys.argv:
        path.write_bytes(path.read_bytes()[:4096])
    print(np.load(path, mmap_mode="r").shape)
