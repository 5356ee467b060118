"""The mesh asks for more ranks than were started."""
# expect: device-mesh-misused
# cause: mesh-larger-than-world
# place: mesh = init
import sys
import tempfile

import torch
import torch.distributed as dist

from torch.distributed.device_mesh import init_device_mesh

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1 if "--fixed" in sys.argv else 4,))
print(mesh)
dist.destroy_process_group()
