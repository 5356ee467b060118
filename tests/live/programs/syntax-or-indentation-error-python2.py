"""A repository for Python 2 is run by Python 3."""
# expect: syntax-or-indentation-error
# cause: file-for-another-python
import pathlib
import subprocess
import sys
import tempfile

file = pathlib.Path(tempfile.mkdtemp()) / "train.py"
file.write_text('print("loss", 0.5)\n' if "--fixed" in sys.argv else 'print "loss", 0.5\n')
sys.exit(subprocess.run([sys.executable, str(file)]).returncode)
