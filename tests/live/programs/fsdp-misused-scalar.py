"""A temperature is a parameter without a dimension."""
# expect: fsdp-misused
# cause: parameter-of-no-dimension
# place: fully_shard(Net()
import sys
import tempfile

import torch
import torch.distributed as dist

from torch.distributed.fsdp import fully_shard
from torch.distributed.device_mesh import init_device_mesh

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(1) if "--fixed" in sys.argv else torch.tensor(1.0))

    def forward(self, x):
        return x * self.scale


model = fully_shard(Net(), mesh=init_device_mesh("cpu", (1,)))
print(model(torch.ones(1, 4)).shape)
dist.destroy_process_group()
