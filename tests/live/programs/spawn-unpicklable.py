"""A lambda is sent to a spawned worker."""

# expect: spawn-unpicklable
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset


def stack(rows):
    return torch.stack([row for (row,) in rows])


def make_loader():
    collate = stack if "--fixed" in sys.argv else (lambda rows: torch.stack([row for (row,) in rows]))
    data = TensorDataset(torch.zeros(4, 3))
    return DataLoader(data, batch_size=2, num_workers=1, collate_fn=collate, multiprocessing_context="spawn")


if __name__ == "__main__":
    for batch in make_loader():
        print(batch.shape)
