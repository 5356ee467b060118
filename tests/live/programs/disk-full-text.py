"""A table is written to a full disk."""

# expect: disk-full
import sys
import tempfile

path = tempfile.mkdtemp() + "/metrics.csv" if "--fixed" in sys.argv else "/dev/full"
with open(path, "w") as f:
    f.write("step,loss\n" * 10_000)
print("written")
