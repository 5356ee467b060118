"""A container with 1 MB of /dev/shm: a data worker has no room for its batch."""
# cause: container-shm-too-small
# needs: unshare
import os
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

if "--inside" not in sys.argv:
    size = "256m" if "--fixed" in sys.argv else "1m"
    mount = f'mount -t tmpfs -o size={size} tmpfs /dev/shm && exec "$@"'
    os.execvp("unshare", ["unshare", "-rm", "sh", "-c", mount, "sh", sys.executable, *sys.argv, "--inside"])

images = torch.zeros(64, 3, 64, 64)
for step, (batch,) in enumerate(DataLoader(TensorDataset(images), batch_size=32, num_workers=1)):
    print(f"step {step} of shape {tuple(batch.shape)}")
