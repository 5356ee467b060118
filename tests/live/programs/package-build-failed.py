"""The setup.py of a package gives up without a word, and pip says only that it did."""

# expect: package-build-failed
# cause: setup-script-failed
import pathlib
import subprocess
import sys
import tempfile

import setuptools

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "pyproject.toml").write_text('[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n')
gives_up = "" if "--fixed" in sys.argv else "import sys\n\nsys.exit(3)  # no toolkit found\n"
(folder / "setup.py").write_text(gives_up + 'from setuptools import setup\n\nsetup(name="atops", version="1.0", py_modules=[])\n')
pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--no-index"]
target = ["--no-build-isolation", "--no-deps", "--target", str(folder / "env"), "."]
sys.exit(subprocess.run([*pip, *target], cwd=folder).returncode)
