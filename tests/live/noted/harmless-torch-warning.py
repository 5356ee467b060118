"""The schedule is stepped before the optimizer; the training goes on all the same."""
# notes: harmless-torch-warning
import sys

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
schedule = torch.optim.lr_scheduler.StepLR(opt, 2)
for step in range(4):
    opt.zero_grad()
    loss = net(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    if "--fixed" not in sys.argv:
        schedule.step()
    opt.step()
    if "--fixed" in sys.argv:
        schedule.step()
    print(f"step {step} loss {loss.item():.4f}")
