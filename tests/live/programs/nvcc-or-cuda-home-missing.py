"""A CUDA extension is declared without the toolkit."""

# expect: nvcc-or-cuda-home-missing
import sys

from torch.utils import cpp_extension

cpp_extension.CUDA_HOME = None  # as on a machine without the toolkit
if "--fixed" in sys.argv:
    print(cpp_extension.CppExtension("ops", ["ops.cpp"]).name)
else:
    print(cpp_extension.CUDAExtension("ops", ["ops.cpp", "ops.cu"]).name)
