"""A program with type hints of Python 3.10 runs under an older one."""

# expect: python-version-unsupported
# cause: python-too-old
# needs: python3.8
import pathlib
import subprocess
import sys
import tempfile

file = pathlib.Path(tempfile.mkdtemp()) / "net.py"
first = "from __future__ import annotations\n\n" if "--fixed" in sys.argv else ""
file.write_text(first + "def pad(sizes: list[int], value: float) -> list[int]:\n    return sizes + [0]\n\n\nprint(pad([1], 0.0))\n")
sys.exit(subprocess.run(["python3.8", str(file)]).returncode)
