"""A data worker crashes in native code."""

# expect: dataloader-worker-killed segfault
import ctypes
import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Native(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        if "--fixed" not in sys.argv:
            ctypes.string_at(0)  # a broken decoder reads address 0
        return torch.zeros(3)


if __name__ == "__main__":
    for batch in DataLoader(Native(), batch_size=2, num_workers=1):
        print(batch.shape)
