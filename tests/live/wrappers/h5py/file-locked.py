"""A file of features is opened for writing by two programs."""
# expect: file-locked
import subprocess
import sys
import tempfile

import h5py

path = tempfile.mkdtemp() + "/features.h5"
with h5py.File(path, "w") as file:
    file["x"] = [1, 2, 3]
first = h5py.File(path, "r" if "--fixed" in sys.argv else "a")
mode = "r" if "--fixed" in sys.argv else "a"
code = f"import h5py\nprint(h5py.File({path!r}, {mode!r})['x'][0])"
sys.exit(subprocess.run([sys.executable, "-c", code]).returncode)
