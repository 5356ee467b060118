"""A dimension of the mesh is taken by a name that it was not given."""
# expect: device-mesh-misused
# cause: dimension-without-name
# place: mesh["tp"]
import sys
import tempfile

import torch
import torch.distributed as dist

from torch.distributed.device_mesh import init_device_mesh

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp") if "--fixed" in sys.argv else None)
print(mesh["tp"])
dist.destroy_process_group()
