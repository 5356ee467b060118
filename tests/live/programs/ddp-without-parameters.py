"""A frozen teacher is wrapped for several ranks."""
# expect: ddp-without-parameters
# cause: all-frozen
# place: teacher = DistributedDataParallel(teacher)
import sys
import tempfile

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
teacher = torch.nn.Linear(4, 2).requires_grad_(False)
if "--fixed" not in sys.argv:
    teacher = DistributedDataParallel(teacher)
print(teacher(torch.ones(1, 4)).shape)
dist.destroy_process_group()
