"""One rank waits in a barrier while the other reduces."""

# expect: rank-desync
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    if rank == 0 and "--fixed" not in sys.argv:
        dist.barrier()  # only the first rank saves and waits
    else:
        dist.all_reduce(torch.zeros(4))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(train, args=(tempfile.mkdtemp() + "/store",), nprocs=2)
    print("in step")
