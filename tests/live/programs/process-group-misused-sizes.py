"""The output of a gather has not room for all ranks."""
# expect: process-group-misused
# cause: sizes-do-not-share-out
# place: dist.all_gather
import sys
import tempfile

import torch
import torch.distributed as dist

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
x = torch.ones(2)
out = torch.empty(2 if "--fixed" in sys.argv else 3)
dist.all_gather_into_tensor(out, x)
print("gathered")
dist.destroy_process_group()
