"""One rank reduces a longer tensor."""

# expect: collective-shape-mismatch
import os
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    correct = torch.zeros(2 if "--fixed" in sys.argv else 2 + rank)  # one rank saw one class more
    dist.all_reduce(correct)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(train, args=(tempfile.mkdtemp() + "/store",), nprocs=2)
    print("reduced")
