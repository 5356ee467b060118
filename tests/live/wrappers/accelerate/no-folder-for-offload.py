"""A device map sends layers to the disk, and no folder was given for them."""
# expect: offload-folder-missing
import sys

import torch
from accelerate import dispatch_model

model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Linear(8, 2))
more = {"offload_dir": "offload"} if "--fixed" in sys.argv else {}
model = dispatch_model(model, device_map={"0": "cpu", "1": "disk"}, main_device="cpu", **more)
print(model(torch.randn(2, 4)).shape)
