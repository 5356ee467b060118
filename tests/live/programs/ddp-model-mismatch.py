"""The ranks build models of unlike depth."""

# expect: ddp-model-mismatch
import sys
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def train(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    extra = 0 if "--fixed" in sys.argv else rank  # an option that differs by rank
    layers = [torch.nn.Linear(2, 2) for _ in range(1 + extra)]
    torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(*layers))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(train, args=(tempfile.mkdtemp() + "/store",), nprocs=2)
    print("wrapped")
