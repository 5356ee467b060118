"""pip builds a package whose C code wants a header that is not installed."""

# expect: cpp-extension-build-failed
# cause: header-or-library-missing
# told: package-build-failed
# needs: gcc
import pathlib
import subprocess
import sys
import tempfile

import setuptools

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "pyproject.toml").write_text('[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n')
(folder / "setup.py").write_text(
    "from setuptools import Extension, setup\n\n"
    'setup(name="atops", version="1.0", py_modules=[], ext_modules=[Extension("atops", ["atops.c"], include_dirs=["include"])])\n'
)
(folder / "atops.c").write_text(
    "#include <Python.h>\n#include <atkernels.h>\n"
    'static struct PyModuleDef m = {PyModuleDef_HEAD_INIT, "atops", 0, -1};\n'
    "PyMODINIT_FUNC PyInit_atops(void) { return PyModule_Create(&m); }\n"
)
(folder / "include").mkdir()
if "--fixed" in sys.argv:
    (folder / "include" / "atkernels.h").write_text("int pad(int n);\n")
pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--no-index"]
target = ["--no-build-isolation", "--no-deps", "--target", str(folder / "env"), "."]
sys.exit(subprocess.run([*pip, *target], cwd=folder).returncode)
