"""A file that tries torch out is called torch.py, and imports itself."""

# expect: circular-import
# cause: file-shadows-the-library
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
name = "try_torch.py" if "--fixed" in sys.argv else "torch.py"
(folder / name).write_text("import torch\n\nprint(torch.zeros(3).sum())\n")
sys.exit(subprocess.run([sys.executable, name], cwd=folder).returncode)
