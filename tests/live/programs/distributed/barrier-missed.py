# run: torchrun --nproc-per-node 3
# expect: rank-desync, gloo-connection-lost, nccl-collective-timeout, peer-rank-failed
import sys
import time
from datetime import timedelta

import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
if rank == 2 and "--fixed" not in sys.argv:
    time.sleep(12)  # downloads the data set alone
dist.monitored_barrier(timeout=timedelta(seconds=3), wait_all_ranks=True)
print(f"rank {rank} passed", flush=True)
dist.destroy_process_group()
