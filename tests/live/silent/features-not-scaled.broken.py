"""A regression on features of the order of hundreds: each step overshoots more than the last."""
# expect: loss-diverging
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(200, 3) * 100 + 100
y = x @ torch.tensor([[0.1], [0.2], [-0.1]])
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for step in range(9):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"step {step} loss {loss.item():.4f}")
