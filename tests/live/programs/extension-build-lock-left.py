"""The lock of a build that was killed stays, and somebody interrupts the run that waits for it."""

# cause: lock-of-a-killed-build
# place: baton.wait()
import _thread
import sys
import tempfile
import threading
from pathlib import Path

from torch.utils.file_baton import FileBaton

with tempfile.TemporaryDirectory() as folder:
    lock = Path(folder) / "lock"
    if "--fixed" not in sys.argv:
        lock.touch()
        threading.Timer(1.0, _thread.interrupt_main).start()
    baton = FileBaton(str(lock))
    baton.wait()
    print("the extension is there")
