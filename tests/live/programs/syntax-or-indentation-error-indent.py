"""A line of a training loop was moved out by one blank."""
# expect: syntax-or-indentation-error
# cause: mistake-in-the-file
import pathlib
import subprocess
import sys
import tempfile

file = pathlib.Path(tempfile.mkdtemp()) / "train.py"
blanks = "    " if "--fixed" in sys.argv else "   "
file.write_text(f"for step in range(2):\n    loss = 1 / (step + 1)\n{blanks}print(step, loss)\n")
sys.exit(subprocess.run([sys.executable, str(file)]).returncode)
