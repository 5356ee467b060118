"""A library that wants its thread-local memory at the start of the process is loaded late, and there is no room left."""

# expect: library-path-shadowing
# cause: import-order
# needs: gcc
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
source = """#include <Python.h>
static __thread char pool[16384] __attribute__((tls_model("initial-exec")));
static struct PyModuleDef m = {PyModuleDef_HEAD_INIT, "fast_threads", 0, -1};
PyMODINIT_FUNC PyInit_fast_threads(void) { pool[0] = 1; return PyModule_Create(&m); }
"""
(folder / "fast_threads.c").write_text(source)
library = folder / ("fast_threads" + sysconfig.get_config_var("EXT_SUFFIX"))
include = "-I" + sysconfig.get_paths()["include"]
subprocess.run(["gcc", "-shared", "-fPIC", include, str(folder / "fast_threads.c"), "-o", str(library)], check=True)
(folder / "train.py").write_text("import numpy\nimport fast_threads\n\nprint(fast_threads.__name__)\n")

early = {"LD_PRELOAD": str(library)} if "--fixed" in sys.argv else {}
sys.exit(subprocess.run([sys.executable, "train.py"], cwd=folder, env={**os.environ, **early}).returncode)
