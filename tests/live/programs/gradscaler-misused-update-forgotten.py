"""The scaler is stepped in a loop and never updated."""
# expect: gradscaler-misused
# cause: update-forgotten
# place: scaler.step(opt)
import sys

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu")
for _ in range(2):
    opt.zero_grad()
    scaler.scale(net(torch.randn(8, 4)).pow(2).mean()).backward()
    scaler.step(opt)
    if "--fixed" in sys.argv:
        scaler.update()
print("steps done")
