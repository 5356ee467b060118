"""An extension was linked against a torch that had one function more."""

# expect: undefined-symbol
# cause: built-for-another-torch
# needs: g++
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

import torch

folder = pathlib.Path(tempfile.mkdtemp())
wanted = "" if "--fixed" in sys.argv else "namespace c10 { void at_function_that_went(int); }\nvoid use() { c10::at_function_that_went(1); }\n"
(folder / "fast_ops.cpp").write_text(
    "#include <Python.h>\n" + wanted + 'static struct PyModuleDef m = {PyModuleDef_HEAD_INIT, "fast_ops", 0, -1};\n'
    "PyMODINIT_FUNC PyInit_fast_ops(void) { return PyModule_Create(&m); }\n"
)
library = folder / ("fast_ops" + sysconfig.get_config_var("EXT_SUFFIX"))
include = "-I" + sysconfig.get_paths()["include"]
subprocess.run(["g++", "-shared", "-fPIC", include, "fast_ops.cpp", "-o", str(library)], cwd=folder, check=True)
sys.path.insert(0, str(folder))

import fast_ops

print(fast_ops.__name__, torch.__version__)
