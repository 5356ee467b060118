"""The greatest of complex numbers is asked for."""
# expect: process-group-misused
# cause: operation-not-for-this-type
# place: dist.all_reduce
import sys
import tempfile

import torch
import torch.distributed as dist

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
x = torch.ones(2, dtype=torch.float if "--fixed" in sys.argv else torch.cfloat)
dist.all_reduce(x, op=dist.ReduceOp.MAX)
print("reduced")
dist.destroy_process_group()
