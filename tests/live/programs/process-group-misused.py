"""The list of a gather is not given on the rank that gathers."""
# expect: process-group-misused
# cause: list-on-the-wrong-rank
# place: dist.gather(
import sys
import tempfile

import torch
import torch.distributed as dist

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
x = torch.ones(2)
parts = [torch.empty(2)] if "--fixed" in sys.argv else None
dist.gather(x, parts, dst=0)
print("gathered")
dist.destroy_process_group()
