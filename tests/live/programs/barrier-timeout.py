"""One rank never comes to the barrier."""

# expect: rank-desync
import sys
import tempfile
from datetime import timedelta

import torch.distributed as dist
import torch.multiprocessing as mp


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    if rank == 0 or "--fixed" in sys.argv:
        dist.monitored_barrier(timeout=timedelta(seconds=2))
    else:
        import time

        time.sleep(4)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(train, args=(tempfile.mkdtemp() + "/store",), nprocs=2)
    print("finished")
