"""One rank leaves without a word."""

# expect: gloo-connection-lost peer-rank-failed
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    dist.all_reduce(torch.zeros(4))
    if rank == 1 and "--fixed" not in sys.argv:
        os._exit(0)  # leaves without a word
    dist.all_reduce(torch.zeros(4))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(train, args=(tempfile.mkdtemp() + "/store",), nprocs=2)
    print("finished")
