"""A native program writes beyond the limit on the size of files."""

# expect: process-ended-by-signal
# cause: file-size-limit
import subprocess
import sys
import tempfile

limit = "unlimited" if "--fixed" in sys.argv else "64"
write = f"ulimit -f {limit}; exec dd if=/dev/zero of={tempfile.mkdtemp()}/shard bs=64K count=8"
subprocess.run(["bash", "-c", write], check=True, preexec_fn=lambda: __import__("signal").signal(25, 0))
print("written")
