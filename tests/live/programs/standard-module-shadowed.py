"""A file of one's own bears the name of a module of the standard library, which NumPy then gets instead."""

# expect: recursion-too-deep
# cause: file-shadows-the-library
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
name = "play.py" if "--fixed" in sys.argv else "random.py"
(folder / name).write_text("import numpy as np\n\nprint(np.random.default_rng(0).integers(3))\n")
sys.exit(subprocess.run([sys.executable, name], cwd=folder).returncode)
