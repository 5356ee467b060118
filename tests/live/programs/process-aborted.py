"""Native code throws an error that nobody catches."""

# expect: process-aborted
# needs: g++
import ctypes
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
body = "return n;" if "--fixed" in sys.argv else 'throw std::runtime_error("shard 3 has a bad header");'
(folder / "reader.cpp").write_text(f'#include <stdexcept>\nextern "C" int read(int n) noexcept {{ {body} }}\n')
subprocess.run(["g++", "-shared", "-fPIC", "-w", "reader.cpp", "-o", "libreader.so"], cwd=folder, check=True)
print(ctypes.CDLL(str(folder / "libreader.so")).read(3))
