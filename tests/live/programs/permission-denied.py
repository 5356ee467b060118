"""A file is opened that may not be written."""

# expect: permission-denied
import sys
import tempfile

path = tempfile.mkdtemp() + "/name" if "--fixed" in sys.argv else "/proc/sys/kernel/osrelease"  # read only for everyone
with open(path, "w") as f:
    f.write("run 12")
print("written")
