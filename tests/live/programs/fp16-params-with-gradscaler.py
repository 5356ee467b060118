"""A model in half precision under a GradScaler."""
# expect: fp16-params-with-gradscaler
import sys

import torch

net = torch.nn.Linear(4, 1)
if "--fixed" not in sys.argv:
    net = net.half()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
out = net(torch.randn(2, 4).to(net.weight.dtype))
scaler.scale(out.float().mean()).backward()
scaler.step(opt)
scaler.update()
print("step done")
