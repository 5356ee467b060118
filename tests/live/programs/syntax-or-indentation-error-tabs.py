"""Tabs and blanks are mixed by two editors."""
# expect: syntax-or-indentation-error
# cause: mistake-in-the-file
import pathlib
import subprocess
import sys
import tempfile

file = pathlib.Path(tempfile.mkdtemp()) / "train.py"
indent = "        " if "--fixed" in sys.argv else "\t"
file.write_text(f"for step in range(2):\n        loss = 1 / (step + 1)\n{indent}print(step, loss)\n")
sys.exit(subprocess.run([sys.executable, str(file)]).returncode)
