"""There is no C++ compiler for Inductor."""

# expect: inductor-compile-failed
import os
import sys
import tempfile

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
if "--fixed" not in sys.argv:
    os.environ["CXX"] = "/usr/bin/no-such-compiler"

import torch

backend = "eager" if "--fixed" in sys.argv else "inductor"


@torch.compile(backend=backend)
def f(x):
    return (x * 2).sin() + 1


print(f(torch.ones(32)).shape)
