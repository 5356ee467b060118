"""Workers are started at the top level of the script."""

# expect: spawn-missing-main-guard
import multiprocessing
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset


def main():
    data = TensorDataset(torch.zeros(4, 3))
    for (batch,) in DataLoader(data, batch_size=2, num_workers=1, multiprocessing_context="spawn"):
        print(batch.shape)


if "--fixed" not in sys.argv or __name__ == "__main__":
    main()
