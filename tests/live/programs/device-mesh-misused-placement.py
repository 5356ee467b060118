"""One placement is given for a mesh of two dimensions."""
# expect: device-mesh-misused
# cause: placement-not-possible
# place: x = distribute_tensor
import sys
import tempfile

import torch
import torch.distributed as dist

from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1, 1))
x = distribute_tensor(torch.ones(4, 4), mesh, [Shard(0), Replicate()] if "--fixed" in sys.argv else [Shard(0)])
print(x.placements)
dist.destroy_process_group()
