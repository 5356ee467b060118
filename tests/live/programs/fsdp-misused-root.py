"""A call for the outermost module is made on an inner one."""
# expect: fsdp-misused
# cause: wrapped-twice-or-not-the-root
# place: clip_grad_norm_
import sys
import tempfile

import torch
import torch.distributed as dist

from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
cpu = torch.device("cpu")
net = torch.nn.Sequential(FSDP(torch.nn.Linear(4, 4), device_id=cpu), torch.nn.Linear(4, 2))
model = FSDP(net, device_id=cpu)
model(torch.ones(1, 4)).sum().backward()
part = model if "--fixed" in sys.argv else model.module[0]
print(part.clip_grad_norm_(1.0))
dist.destroy_process_group()
