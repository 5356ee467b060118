"""The setup.py of a package reads a file that was not packed with it."""

# expect: file-not-found
import pathlib
import subprocess
import sys
import tempfile

import setuptools

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "pyproject.toml").write_text('[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n')
(folder / "setup.py").write_text(
    'from setuptools import setup\n\nsetup(name="atdetect", version="1.0", py_modules=[], description=open("about.txt").read())\n'
)
if "--fixed" in sys.argv:
    (folder / "about.txt").write_text("detects")
pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--no-index"]
target = ["--no-build-isolation", "--no-deps", "--target", str(folder / "env"), "."]
sys.exit(subprocess.run([*pip, *target], cwd=folder).returncode)
