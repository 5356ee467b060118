"""An extension was compiled for the instructions of another processor."""

# expect: illegal-instruction
# needs: gcc
# machine: x86_64
import ctypes
import faulthandler
import pathlib
import subprocess
import sys
import tempfile

import torch

faulthandler.enable()
folder = pathlib.Path(tempfile.mkdtemp())
# ud2 is what every processor refuses, as an older one refuses AVX-512.
(folder / "fast.c").write_text('int scale(int n) {\n#ifdef OF_ANOTHER_PROCESSOR\n    __asm__("ud2");\n#endif\n    return 2 * n;\n}\n')
chosen = [] if "--fixed" in sys.argv else ["-DOF_ANOTHER_PROCESSOR"]
subprocess.run(["gcc", "-shared", "-fPIC", *chosen, "fast.c", "-o", "libfast.so"], cwd=folder, check=True)
print(ctypes.CDLL(str(folder / "libfast.so")).scale(int(torch.ones(2).sum())))
