"""The file of the weights is empty, as a full disk leaves it."""
# expect: pickle-stream-empty
# cause: checkpoint-corrupt
# place: torch.load(path)
import sys
from pathlib import Path
from tempfile import mkdtemp

import torch

path = Path(mkdtemp()) / "last.pt"
path.touch()
if "--fixed" in sys.argv:
    torch.save({"step": 3}, path)
print(torch.load(path))
