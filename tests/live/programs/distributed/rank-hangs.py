# run: torchrun --nproc-per-node 3
# expect: gloo-connection-lost, rank-desync, nccl-collective-timeout, peer-rank-failed
import sys
import time
from datetime import timedelta

import torch
import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(seconds=4))
rank = dist.get_rank()
for step in range(4):
    if rank == 1 and step == 2 and "--fixed" not in sys.argv:
        time.sleep(30)  # a file system that does not answer
    total = torch.ones(1)
    dist.all_reduce(total)
    if rank == 0:
        print(f"step {step} total {total.item()}", flush=True)
dist.destroy_process_group()
