"""The loss is computed from detached outputs."""
# expect: graph-detached
import sys

import torch

net = torch.nn.Linear(4, 1)
x, y = torch.randn(8, 4), torch.randn(8, 1)
out = net(x)
if "--fixed" not in sys.argv:
    out = torch.tensor(out.tolist())
loss = ((out - y) ** 2).mean()
loss.backward()
print("step done")
