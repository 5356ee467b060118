"""A job starts a script by a path that is right in another folder."""

# expect: command-not-found
# cause: wrong-path
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "tools").mkdir()
(folder / "tools" / "train.py").write_text("print('training')\n")
script = "tools/train.py" if "--fixed" in sys.argv else "train.py"
sys.exit(subprocess.run([sys.executable, script], cwd=folder).returncode)
