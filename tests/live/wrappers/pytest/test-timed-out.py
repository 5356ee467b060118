"""A test waits for a queue that nobody fills."""
# expect: test-timed-out
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "test_loader.py").write_text(
    "import queue\n\n\ndef test_next():\n    shards = queue.Queue()\n"
    + ("    shards.put(1)\n" if "--fixed" in sys.argv else "") + "    assert shards.get() == 1\n"
)
sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--timeout=2", "test_loader.py"], cwd=folder).returncode)
