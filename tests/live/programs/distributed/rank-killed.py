# run: torchrun --nproc-per-node 3
# expect: host-oom-killed, process-killed, segfault
import os
import signal
import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
for step in range(5):
    if rank == 2 and step == 3 and "--fixed" not in sys.argv:
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGKILL)  # as the kernel does when memory ends
    total = torch.ones(2)
    dist.all_reduce(total)
    if rank == 0:
        print(f"step {step} total {total[0].item()}", flush=True)
dist.destroy_process_group()
