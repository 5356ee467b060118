"""A test waits for a lock, and the time limit ends the whole process."""
# expect: test-timed-out
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "test_loader.py").write_text(
    "import threading\n\n\ndef test_next():\n    lock = threading.Lock()\n    lock.acquire()\n"
    + ("    lock.release()\n" if "--fixed" in sys.argv else "") + "    assert lock.acquire()\n"
)
sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--timeout=2", "--timeout-method=thread", "test_loader.py"], cwd=folder).returncode)
