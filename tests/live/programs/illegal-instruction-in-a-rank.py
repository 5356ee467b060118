"""One of the processes that a launcher started dies of an instruction that its processor does not have."""

# expect: illegal-instruction
import os
import signal
import sys

import torch.multiprocessing as mp


def work(rank):
    if rank == 1 and "--fixed" not in sys.argv:
        os.kill(os.getpid(), signal.SIGILL)  # as the kernel does it


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
    print("both done")
