"""An extension that was built on a newer system is loaded on this one."""

# expect: glibc-or-glibcxx-too-old
# cause: system-too-old
# needs: gcc
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
include = "-I" + sysconfig.get_paths()["include"]
library = "fast_ops" + sysconfig.get_config_var("EXT_SUFFIX")
# The C library of the newer system has one function more than ours, under a version of its own.
(folder / "newer.c").write_text("int at_newer_function(void) { return 1; }\n")
(folder / "newer.map").write_text("GLIBC_9.99 { global: at_newer_function; };\n")
built = ["-nostdlib", "-Wl,--version-script=newer.map", "-Wl,-soname,libc.so.6", "newer.c", "-o", "libnewer.so"]
subprocess.run(["gcc", "-shared", "-fPIC", *built], cwd=folder, check=True)
here = "--fixed" in sys.argv  # built here, with what this system has
call = "" if here else "at_newer_function();"
(folder / "fast_ops.c").write_text(
    "#include <Python.h>\nint at_newer_function(void);\n"
    'static struct PyModuleDef m = {PyModuleDef_HEAD_INIT, "fast_ops", 0, -1};\n'
    f"PyMODINIT_FUNC PyInit_fast_ops(void) {{ {call} return PyModule_Create(&m); }}\n"
)
linked = [] if here else ["./libnewer.so"]
subprocess.run(["gcc", "-shared", "-fPIC", include, "fast_ops.c", *linked, "-o", library], cwd=folder, check=True)
sys.path.insert(0, str(folder))
import fast_ops

print(fast_ops.__name__)
