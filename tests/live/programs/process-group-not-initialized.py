"""A collective is called before init_process_group."""

# expect: process-group-not-initialized
import sys
import tempfile

import torch
import torch.distributed as dist

if "--fixed" in sys.argv:
    dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
loss = torch.tensor(1.0)
dist.all_reduce(loss)
print(loss)
if dist.is_initialized():
    dist.destroy_process_group()
