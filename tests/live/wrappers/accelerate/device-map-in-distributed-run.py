"""A model that is spread over memory and disk by a device map is prepared in a run of two processes."""
# cause: device-map-auto
# expect: device-map-in-distributed-run
# run: -m torch.distributed.run --nproc_per_node 2 --rdzv-backend c10d --rdzv-endpoint 127.0.0.1:0
import sys

import torch
from accelerate import Accelerator, dispatch_model
from torch import nn

accelerator = Accelerator(cpu=True)
model = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))
if "--fixed" not in sys.argv:
    model = dispatch_model(model, {"0": "cpu", "1": "disk"}, main_device="cpu", offload_dir=f"offload-{accelerator.process_index}")
model = accelerator.prepare(model)
print(model(torch.ones(1, 4)).shape)
accelerator.end_training()
