"""A checkpoint is larger than the session lets a file become."""

# expect: file-too-large
import resource
import sys
import tempfile

import torch

if "--fixed" not in sys.argv:
    resource.setrlimit(resource.RLIMIT_FSIZE, (256 * 1024, 256 * 1024))
with open(tempfile.mkdtemp() + "/checkpoint.pt", "wb") as file:
    torch.save({"w": torch.zeros(200_000)}, file)
print("saved")
