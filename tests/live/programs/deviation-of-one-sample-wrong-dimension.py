"""The deviation is taken over a dimension of size 1, that of the channel."""
# expect: deviation-of-one-sample
# cause: wrong-dimension
# place: x.std(dim=1
import sys

import torch

torch.manual_seed(0)
net = torch.nn.Linear(32, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(4):
    x = torch.rand(8, 1, 32)
    if "--fixed" in sys.argv:
        x = x - x.mean(2, keepdim=True)
    else:
        x = x / x.std(dim=1, keepdim=True)
    loss = net(x.flatten(1)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"step {step} loss {loss.item():.4f}")
