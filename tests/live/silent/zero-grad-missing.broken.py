"""A regression in full batches whose gradients are never zeroed: the loss swings like a pendulum."""
# expect: loss-oscillating, zero-grad-missing, loss-diverging
# lint: zero-grad-missing
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(200, 3)
y = x @ torch.tensor([[1.0], [-2.0], [0.5]]) + 0.05 * torch.randn(200, 1)

model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(60):
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"step {step:3d} loss {loss.item():.4f}")
