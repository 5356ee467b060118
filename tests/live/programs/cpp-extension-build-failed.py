"""The source of an extension does not compile."""

# needs: g++
# expect: cpp-extension-build-failed
import sys
import tempfile

from torch.utils.cpp_extension import load_inline

body = "return x + 1;" if "--fixed" in sys.argv else "return x.add_one(1)"
source = "torch::Tensor plus_one(torch::Tensor x) { %s }" % body
if "--fixed" in sys.argv and not __import__("shutil").which("ninja"):
    print("no ninja here; nothing to build")
    sys.exit(0)
load_inline("plus_one_ext", [source], functions=["plus_one"], build_directory=tempfile.mkdtemp())
print("built")
