"""A mapped file of samples is cut by another job while it is read."""
# expect: shm-bus-error
# cause: mapped-file-cut
# place: total += samples
import faulthandler
import os
import pathlib
import sys
import tempfile

import numpy as np

faulthandler.enable()
file = pathlib.Path(tempfile.mkdtemp()) / "samples.bin"
np.ones((4096, 64), dtype=np.float32).tofile(file)
samples = np.memmap(file, dtype=np.float32, mode="r", shape=(4096, 64))
if "--fixed" not in sys.argv:
    os.truncate(file, 4096)
total = 0.0
for row in range(0, 4096, 256):
    total += samples[row].sum()
print(total)
