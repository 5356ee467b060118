"""A program with a match statement runs under a Python that does not know it."""

# expect: syntax-or-indentation-error
# cause: file-for-another-python
# needs: python3.8
import pathlib
import subprocess
import sys
import tempfile

file = pathlib.Path(tempfile.mkdtemp()) / "net.py"
file.write_text("def layer(name):\n    match name:\n        case 'relu':\n            return 1\n    return 0\n\n\nprint(layer('relu'))\n")
python = sys.executable if "--fixed" in sys.argv else "python3.8"
sys.exit(subprocess.run([python, str(file)]).returncode)
