"""The download saved a web page in place of the weights."""
# expect: file-is-not-a-checkpoint
# cause: web-page-saved
# place: torch.load(path
import sys
from pathlib import Path
from tempfile import mkdtemp

import torch

path = Path(mkdtemp()) / "weights.pth"
path.write_text("<!DOCTYPE html><html><body>Sign in</body></html>")
if "--fixed" in sys.argv:
    torch.save({"w": torch.ones(2)}, path)
print(torch.load(path, map_location="cpu", weights_only=False).keys())
