"""A merge left its marks in a module."""
# expect: syntax-or-indentation-error
# cause: not-python-at-all
import pathlib
import subprocess
import sys
import tempfile

file = pathlib.Path(tempfile.mkdtemp()) / "train.py"
merged = "rate = 0.1\n" if "--fixed" in sys.argv else "<<<<<<< HEAD\nrate = 0.1\n=======\nrate = 0.01\n>>>>>>> other\n"
file.write_text(f"{merged}print(rate)\n")
sys.exit(subprocess.run([sys.executable, str(file)]).returncode)
