"""An extension needs the newer C++ library of its environment, and the system's is found first."""

# expect: glibc-or-glibcxx-too-old
# cause: library-path-shadowing
# needs: gcc
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
include = "-I" + sysconfig.get_paths()["include"]
library = "fast_ops" + sysconfig.get_config_var("EXT_SUFFIX")
# The environment's library has one function more than the system's, under a version of its own.
(folder / "lib").mkdir()
(folder / "newer.c").write_text("int at_newer_function(void) { return 1; }\n")
(folder / "newer.map").write_text("GLIBCXX_9.9.9 { global: at_newer_function; };\n")
built = ["-Wl,--version-script=newer.map", "-Wl,-soname,libstdc++.so.6", "newer.c", "-o", "lib/libstdc++.so.6"]
subprocess.run(["gcc", "-shared", "-fPIC", *built], cwd=folder, check=True)
(folder / "fast_ops.c").write_text(
    "#include <Python.h>\nint at_newer_function(void);\n"
    'static struct PyModuleDef m = {PyModuleDef_HEAD_INIT, "fast_ops", 0, -1};\n'
    "PyMODINIT_FUNC PyInit_fast_ops(void) { return at_newer_function() ? PyModule_Create(&m) : NULL; }\n"
)
compiled = ["gcc", "-shared", "-fPIC", include, "fast_ops.c", "-o", library, "lib/libstdc++.so.6"]
subprocess.run(compiled, cwd=folder, check=True)
(folder / "train.py").write_text("import fast_ops\n\nprint(fast_ops.__name__)\n")
first = {"LD_LIBRARY_PATH": str(folder / "lib")} if "--fixed" in sys.argv else {}
sys.exit(subprocess.run([sys.executable, "train.py"], cwd=folder, env={**os.environ, **first}).returncode)
