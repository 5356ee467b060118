"""A spawned rank is killed."""

# expect: process-killed
import os
import signal
import sys
import time

import torch.multiprocessing as mp


def train(rank):
    if rank == 1 and "--fixed" not in sys.argv:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.1)


if __name__ == "__main__":
    mp.spawn(train, nprocs=2)
    print("finished")
