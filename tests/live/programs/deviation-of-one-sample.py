"""The last batch of an epoch holds one sample, and its advantage is divided by the deviation."""
# expect: deviation-of-one-sample
# cause: batch-of-one
# place: advantage = 
import sys

import torch

torch.manual_seed(0)
net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
data = torch.randn(9, 3)
for step, x in enumerate(data.split(4)):
    if len(x) < 2 and "--fixed" in sys.argv:
        continue
    reward = x.sum(1)
    advantage = (reward - reward.mean()) / (reward.std() + 1e-8)
    loss = -(net(x).squeeze(1) * advantage).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"step {step} loss {loss.item():.4f}")
