"""The optimizer holds the parameters of another model than the one that is trained."""
# expect: gradscaler-misused
# cause: no-gradients
# place: scaler.step(opt)
import sys

import torch

net, old = torch.nn.Linear(4, 1), torch.nn.Linear(4, 1)
opt = torch.optim.SGD((net if "--fixed" in sys.argv else old).parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu")
scaler.scale(net(torch.randn(8, 4)).pow(2).mean()).backward()
scaler.step(opt)
scaler.update()
print("step done")
