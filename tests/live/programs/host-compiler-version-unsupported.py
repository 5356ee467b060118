"""A build passes the C++ standard of an older torch to the compiler."""

# expect: host-compiler-version-unsupported
# cause: standard-of-an-older-torch
# needs: g++
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

from torch.utils.cpp_extension import include_paths

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "ops.cpp").write_text("#include <ATen/ATen.h>\nint64_t size(const at::Tensor &x) { return x.numel(); }\n")
standard = "-std=c++20" if "--fixed" in sys.argv else "-std=c++14"
found = [f"-I{path}" for path in [*include_paths(), sysconfig.get_paths()["include"]]]
subprocess.run(["g++", "-fsyntax-only", "-Wfatal-errors", standard, *found, "ops.cpp"], cwd=folder, check=True)
print("compiles")
