"""A TorchScript archive is given to the loader of plain weights."""
# expect: file-is-not-a-checkpoint
# cause: torchscript-archive
# place: torch.load(path)
import sys
from pathlib import Path
from tempfile import mkdtemp

import torch

path = str(Path(mkdtemp()) / "model.pt")
torch.jit.save(torch.jit.trace(torch.nn.Linear(2, 1), torch.ones(1, 2)), path)
model = torch.jit.load(path) if "--fixed" in sys.argv else torch.load(path)
print(model(torch.ones(1, 2)).shape)
