"""A layer that normalises by the root of a variance: rows that are constant get an infinite gradient."""
# expect: nan-loss, sqrt-at-zero
# lint: sqrt-without-epsilon
import torch
from torch import nn


class Norm(nn.Module):
    def forward(self, x):
        spread = torch.sqrt(x.var(dim=-1, keepdim=True))
        return (x - x.mean(dim=-1, keepdim=True)) / (spread + 1e-5)


torch.manual_seed(0)
x = torch.randn(600, 8)
x[400] = 0.0
y = (x[:, 0] > x[:, 1]).long()
model = nn.Sequential(nn.Linear(8, 16, bias=False), Norm(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, rows in enumerate(torch.arange(600).split(20)):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    print(f"step {step} loss {loss.item():.4f} grad_norm {norm.item():.4f}")
