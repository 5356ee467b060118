"""Samples of unlike length are collated in a worker."""

# expect: storage-not-resizable
import sys

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Clips(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        clip = torch.from_numpy(np.zeros((3, 8 if "--fixed" in sys.argv else 8 - i), dtype=np.float32))
        return clip


if __name__ == "__main__":
    for batch in DataLoader(Clips(), batch_size=2, num_workers=1):
        print(batch.shape)
