"""An extension that was compiled in the way of NumPy 1 asks NumPy 2 for its table of functions."""

# expect: numpy-abi-mismatch
# cause: numpy-too-new
# needs: gcc
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

import numpy

# What the header of NumPy 1 makes of import_array(): the table is looked up in numpy.core, which has moved since.
OLD = """
#include <Python.h>
static int get_table(void) {
    PyObject *core = PyImport_ImportModule("numpy.core._multiarray_umath");
    PyObject *table = core ? PyObject_GetAttrString(core, "_ARRAY_API") : NULL;
    if (table == NULL) { PyErr_Print(); PyErr_SetString(PyExc_ImportError, "numpy.core.multiarray failed to import"); return -1; }
    return 0;
}
"""
NEW = """
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>
static int get_table(void) { return _import_array(); }
"""
MODULE = """
static struct PyModuleDef m = {PyModuleDef_HEAD_INIT, "fast_nms", 0, -1};
PyMODINIT_FUNC PyInit_fast_nms(void) { return get_table() < 0 ? NULL : PyModule_Create(&m); }
"""
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "fast_nms.c").write_text((NEW if "--fixed" in sys.argv else OLD) + MODULE)
library = folder / ("fast_nms" + sysconfig.get_config_var("EXT_SUFFIX"))
include = ["-I" + sysconfig.get_paths()["include"], "-I" + numpy.get_include()]
subprocess.run(["gcc", "-shared", "-fPIC", *include, str(folder / "fast_nms.c"), "-o", str(library)], check=True)
sys.path.insert(0, str(folder))

import fast_nms

print(fast_nms.__name__)
