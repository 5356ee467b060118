"""A data worker reads a mapped file that was replaced in place, and dies of it."""
# expect: shm-bus-error
import os
import pathlib
import sys
import tempfile

import numpy as np
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    def __init__(self, file):
        self.rows = np.memmap(file, dtype=np.float32, mode="r", shape=(4096, 64))

    def __len__(self):
        return 4096

    def __getitem__(self, index):
        return np.array(self.rows[index])


if __name__ == "__main__":
    file = pathlib.Path(tempfile.mkdtemp()) / "samples.bin"
    np.ones((4096, 64), dtype=np.float32).tofile(file)
    samples = Samples(file)
    if "--fixed" not in sys.argv:
        os.truncate(file, 4096)
    for step, batch in enumerate(DataLoader(samples, batch_size=1024, num_workers=1)):
        print(f"step {step} mean {batch.mean():.3f}")
