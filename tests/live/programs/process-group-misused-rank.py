"""A group is sent to from a rank that is not in it."""
# expect: process-group-misused
# cause: rank-outside-of-the-group
# place: dist.broadcast
import sys
import tempfile

import torch
import torch.distributed as dist

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
x = torch.ones(2)
dist.broadcast(x, src=0 if "--fixed" in sys.argv else 3, group=dist.new_group([0]))
print("sent")
dist.destroy_process_group()
