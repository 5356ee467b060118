"""Prediction (N, 1) against target (N,): broadcast to a matrix, the net learns the mean."""
# expect: target-size-broadcast
import sys

import torch

torch.manual_seed(0)
x = torch.randn(100, 1)
y = (3 * x + 0.1 * torch.randn(100, 1)).squeeze(1)
net = torch.nn.Linear(1, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(30):
    out = net(x)
    loss = torch.nn.MSELoss()(out.squeeze(1) if "--fixed" in sys.argv else out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("done")
