"""A model on the meta device is moved with to()."""

# expect: meta-tensor-without-data
import sys

import torch

net = torch.nn.Linear(4, 2, device="meta")
net = net.to_empty(device="cpu") if "--fixed" in sys.argv else net.to("cpu")
print(next(net.parameters()).device)
