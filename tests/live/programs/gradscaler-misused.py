"""unscale_ is called for each small batch of an accumulation."""
# expect: gradscaler-misused
# cause: unscaled-twice
# place: scaler.unscale_(opt)
import sys

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu")
fixed = "--fixed" in sys.argv
for part in range(2):
    scaler.scale(net(torch.randn(8, 4)).pow(2).mean()).backward()
    if part == 1 or not fixed:
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
scaler.step(opt)
scaler.update()
print("step done")
