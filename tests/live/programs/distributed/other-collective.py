# run: torchrun --nproc-per-node 3
# expect: rank-desync
import os
import sys
from datetime import timedelta

os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"
import torch
import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(seconds=10))
rank = dist.get_rank()
for step in range(3):
    total = torch.ones(4)
    dist.all_reduce(total)
    if step == 1 and rank == 0 and "--fixed" not in sys.argv:
        dist.broadcast(torch.zeros(2), src=0)  # only the first rank shares its best score
    print(f"rank {rank} step {step}", flush=True)
dist.destroy_process_group()
