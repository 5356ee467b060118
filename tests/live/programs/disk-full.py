"""A checkpoint is written to a full disk."""

# expect: disk-full
import sys
import tempfile

import torch

path = tempfile.mkdtemp() + "/checkpoint.pth" if "--fixed" in sys.argv else "/dev/full"
torch.save({"w": torch.zeros(100_000)}, path)
print("saved")
