"""A scheduler warns its job by SIGUSR1, for which the program has no handler."""

# expect: process-ended-by-signal
# cause: scheduler-warning-signal
import os
import signal
import sys

import torch.multiprocessing as mp


def work(rank):
    if "--fixed" in sys.argv:
        signal.signal(signal.SIGUSR1, lambda number, frame: print("saving a checkpoint", flush=True))
    if rank == 0:
        os.kill(os.getpid(), signal.SIGUSR1)  # as the scheduler does it


if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
    print("both done")
