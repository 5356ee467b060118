"""A decoder reads address 0."""

# expect: segfault
import ctypes
import faulthandler
import sys

faulthandler.enable()


def decode(address):
    return ctypes.string_at(address)


buffer = ctypes.create_string_buffer(b"frame")
print(decode(ctypes.addressof(buffer) if "--fixed" in sys.argv else 0))
