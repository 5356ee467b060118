"""Native code that a test calls crashes its worker process."""
# expect: segfault
# told: test-worker-crashed
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "test_loader.py").write_text(
    "import ctypes\n\n\ndef test_pad():\n    ctypes.string_at("
    + ("b'pad'" if "--fixed" in sys.argv else "0") + ")\n"
)
sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", "test_loader.py"], cwd=folder).returncode)
