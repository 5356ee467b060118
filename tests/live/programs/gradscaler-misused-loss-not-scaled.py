"""backward is called on the loss itself, and the scaler is asked to step."""
# expect: gradscaler-misused
# cause: loss-not-scaled
# place: scaler.step(opt)
import sys

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu")
loss = net(torch.randn(8, 4)).pow(2).mean()
(scaler.scale(loss) if "--fixed" in sys.argv else loss).backward()
scaler.step(opt)
scaler.update()
print("step done")
