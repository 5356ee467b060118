"""An extension needs a symbol that no library has."""

# needs: gcc
# expect: undefined-symbol
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
missing = "" if "--fixed" in sys.argv else "extern void at_old_symbol(void); void *user = (void *)at_old_symbol;\n"
(folder / "fast_ops.c").write_text(
    "#include <Python.h>\n" + missing + 'static struct PyModuleDef m = {PyModuleDef_HEAD_INIT, "fast_ops", 0, -1};\n'
    "PyMODINIT_FUNC PyInit_fast_ops(void) { return PyModule_Create(&m); }\n"
)
library = folder / ("fast_ops" + sysconfig.get_config_var("EXT_SUFFIX"))
include = "-I" + sysconfig.get_paths()["include"]
subprocess.run(["gcc", "-shared", "-fPIC", include, str(folder / "fast_ops.c"), "-o", str(library)], check=True)
sys.path.insert(0, str(folder))

import fast_ops

print(fast_ops.__name__)
