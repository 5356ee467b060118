# run: torchrun --nproc-per-node 2
# expect: segfault
import ctypes
import faulthandler
import sys

import torch
import torch.distributed as dist

faulthandler.enable()
dist.init_process_group("gloo")
rank = dist.get_rank()


def call_native():
    ctypes.string_at(0)  # an extension that was built for another version


for step in range(4):
    if rank == 1 and step == 2 and "--fixed" not in sys.argv:
        call_native()
    dist.all_reduce(torch.ones(1))
    print(f"rank {rank} step {step}", flush=True)
dist.destroy_process_group()
