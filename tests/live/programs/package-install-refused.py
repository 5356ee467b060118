"""A line of the requirements is written with one equals sign."""

# expect: package-install-refused
# cause: requirement-miswritten
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "requirements.txt").write_text("numpy>=1.0\n" if "--fixed" in sys.argv else "numpy=1.0\n")
pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--no-index"]
sys.exit(subprocess.run([*pip, "-r", "requirements.txt"], cwd=folder).returncode)
