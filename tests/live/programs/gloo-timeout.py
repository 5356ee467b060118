"""One rank is late for a collective."""

# expect: gloo-connection-lost
import sys
import tempfile
import time
from datetime import timedelta

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def train(rank, store):
    wait = timedelta(seconds=30 if "--fixed" in sys.argv else 2)
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2, timeout=wait)
    if rank == 0:
        time.sleep(4)  # rank 0 prepares the data alone
    dist.all_reduce(torch.zeros(4))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(train, args=(tempfile.mkdtemp() + "/store",), nprocs=2)
    print("finished")
