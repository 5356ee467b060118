"""A data worker is killed, as the kernel does when memory runs out."""

# expect: dataloader-worker-killed pipe-between-processes-broken
import os
import signal
import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Cached(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        if i == 0 and "--fixed" not in sys.argv:
            os.kill(os.getpid(), signal.SIGKILL)  # what the kernel does when memory runs out
        return torch.zeros(3)


if __name__ == "__main__":
    for batch in DataLoader(Cached(), batch_size=2, num_workers=1):
        print(batch.shape)
