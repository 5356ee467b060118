"""A library of cuDNN is loaded that is not there."""

# expect: cuda-library-missing
import ctypes
import sys

print(ctypes.CDLL("libc.so.6" if "--fixed" in sys.argv else "libcudnn_ops_infer.so.8"))
