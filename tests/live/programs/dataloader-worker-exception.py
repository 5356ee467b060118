"""One sample is broken, and the data worker raises."""

# expect: dataloader-worker-exception
import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Scans(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        if i == 5 and "--fixed" not in sys.argv:
            raise OSError(f"scan {i} has no header")
        return torch.zeros(3)


if __name__ == "__main__":
    for batch in DataLoader(Scans(), batch_size=2, num_workers=1):
        print(batch.shape)
