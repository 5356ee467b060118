# run: torchrun --nproc-per-node 3
# expect: rank-desync, peer-rank-failed, gloo-connection-lost
import sys
import time
from datetime import timedelta

import torch
import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(seconds=3))
rank = dist.get_rank()
batches = 6 if rank or "--fixed" in sys.argv else 4  # the first shard has fewer files
for batch in range(batches):
    loss = torch.ones(1)
    dist.all_reduce(loss)
    print(f"rank {rank} batch {batch}", flush=True)
print(f"rank {rank} finished after {batches} batches", flush=True)
if batches == 4:
    time.sleep(8)  # evaluates and saves alone
dist.destroy_process_group()
