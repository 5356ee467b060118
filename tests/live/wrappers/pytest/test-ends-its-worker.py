"""Code that a test calls ends the process."""
# expect: test-worker-crashed
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "test_loader.py").write_text(
    "import os\n\n\ndef test_end():\n    code = "
    + ("0" if "--fixed" in sys.argv else "1") + "\n    if code:\n        os._exit(code)\n"
)
sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "1", "test_loader.py"], cwd=folder).returncode)
