"""A file is mapped from an offset that is no multiple of the page size."""
# expect: system-call-argument-invalid
import mmap
import sys
import tempfile

with tempfile.TemporaryFile() as stream:
    stream.write(bytes(8192))
    stream.flush()
    offset = mmap.ALLOCATIONGRANULARITY if "--fixed" in sys.argv else 100
    with mmap.mmap(stream.fileno(), 1000, offset=offset) as mapped:
        print(len(mapped))
