"""An assertion of native code fails and aborts the process."""

# expect: process-aborted
# needs: gcc
import ctypes
import faulthandler
import pathlib
import subprocess
import sys
import tempfile

faulthandler.enable()
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "pool.c").write_text("#include <assert.h>\nint pool(int size) { assert(size > 0 && size < 64); return size; }\n")
subprocess.run(["gcc", "-shared", "-fPIC", "pool.c", "-o", "libpool.so"], cwd=folder, check=True)
print(ctypes.CDLL(str(folder / "libpool.so")).pool(8 if "--fixed" in sys.argv else 80))
