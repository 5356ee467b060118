"""A model built on the meta device is trained before its parameters have memory."""
# expect: fsdp-misused
# cause: parameters-still-on-meta
# place: print(model(torch
import sys
import tempfile

import torch
import torch.distributed as dist

from torch.distributed.fsdp import fully_shard
from torch.distributed.device_mesh import init_device_mesh

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
with torch.device("meta"):
    net = torch.nn.Linear(4, 2)
model = fully_shard(net, mesh=init_device_mesh("cpu", (1,)))
if "--fixed" in sys.argv:
    model.to_empty(device="cpu")
    model.reset_parameters()
print(model(torch.ones(1, 4)).shape)
dist.destroy_process_group()
