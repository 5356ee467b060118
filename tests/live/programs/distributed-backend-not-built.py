"""A build for the CPU is asked for NCCL; a CUDA build says that it finds no GPU."""

# expect: distributed-backend-not-built no-gpu-available
# cause: nccl-without-cuda job-without-gpu
# place: dist.init_process_group(
import sys

import torch.distributed as dist

backend = "gloo" if "--fixed" in sys.argv else "nccl"
dist.init_process_group(backend, init_method="tcp://127.0.0.1:0", rank=0, world_size=1)
print(f"{backend} is ready")
dist.destroy_process_group()
