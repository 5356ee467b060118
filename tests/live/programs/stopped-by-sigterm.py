"""A supervisor stops one of the processes."""

# expect: stopped-by-sigterm
import os
import signal
import sys

import torch.multiprocessing as mp


def work(rank):
    if rank == 1 and "--fixed" not in sys.argv:
        os.kill(os.getpid(), signal.SIGTERM)  # as a supervisor does it


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
    print("both done")
