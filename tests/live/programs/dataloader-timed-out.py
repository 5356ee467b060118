"""A sample takes longer than the DataLoader waits for it."""
# expect: dataloader-timed-out
# cause: sample-slower-than-the-limit
# place: DataLoader(Slow()
import sys
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        time.sleep(4 if i == 2 else 0)
        return torch.zeros(3)


if __name__ == "__main__":
    for batch in DataLoader(Slow(), batch_size=2, num_workers=1, timeout=60 if "--fixed" in sys.argv else 1):
        print(batch.shape)
