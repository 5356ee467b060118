# run: torchrun --nproc-per-node 2
# expect: session-hangup
import os
import signal
import sys
import time

import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
for step in range(30):
    if rank == 0 and step == 5 and "--fixed" not in sys.argv:
        os.kill(os.getppid(), signal.SIGHUP)  # what the launcher gets when its terminal goes
    if rank == 0:
        print(f"step {step} loss {1 / (step + 1):.4f}", flush=True)
    time.sleep(0.1)
dist.destroy_process_group()
