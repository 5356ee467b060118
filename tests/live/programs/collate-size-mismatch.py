"""Images of unlike size in one batch."""
# expect: collate-size-mismatch
import sys

import torch
from torch.utils.data import DataLoader


class Images(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        size = 8 if "--fixed" in sys.argv else 8 + i
        return torch.rand(3, size, 8), i


for x, _ in DataLoader(Images(), batch_size=4):
    print(x.shape)
