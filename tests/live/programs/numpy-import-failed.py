"""NumPy is thrown out of sys.modules and imported a second time."""
# expect: numpy-import-failed
import sys

import numpy  # noqa: F401

if "--fixed" not in sys.argv:
    for name in [name for name in sys.modules if name.partition(".")[0] == "numpy"]:
        del sys.modules[name]
import numpy  # noqa: E402

print(numpy.__name__)
