"""A plain mask meets a sharded tensor."""
# expect: device-mesh-misused
# cause: plain-tensor-beside-dtensor
# place: x * mask
import sys
import tempfile

import torch
import torch.distributed as dist

from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1,))
x = distribute_tensor(torch.ones(4, 4), mesh, [Shard(0)])
mask = torch.ones(4, 4)
if "--fixed" in sys.argv:
    mask = distribute_tensor(mask, mesh, [Replicate()])
print((x * mask).shape)
dist.destroy_process_group()
