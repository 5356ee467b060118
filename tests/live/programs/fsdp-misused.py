"""Frozen and trained parameters stand in one unit."""
# expect: fsdp-misused
# cause: frozen-and-trained-mixed
# place: model = FSDP(
import sys
import tempfile

import torch
import torch.distributed as dist

from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
net = torch.nn.Sequential(torch.nn.Linear(4, 4).requires_grad_(False), torch.nn.Linear(4, 2))
model = FSDP(net, device_id=torch.device("cpu"), use_orig_params="--fixed" in sys.argv)
print(model(torch.ones(1, 4)).shape)
dist.destroy_process_group()
