"""device_ids is given for a model that still is on the CPU."""
# expect: ddp-without-parameters
# cause: model-not-on-device
# place: device_ids=None
import sys
import tempfile

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
model = DistributedDataParallel(torch.nn.Linear(4, 2), device_ids=None if "--fixed" in sys.argv else [0])
print(model(torch.ones(1, 4)).shape)
dist.destroy_process_group()
