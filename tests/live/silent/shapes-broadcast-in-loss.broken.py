"""A mean squared error written by hand, of a prediction (N, 1) against a target (N,): no warning is printed."""
# expect: loss-stuck-at-variance, target-size-broadcast
# lint: shapes-broadcast-in-loss
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(1000, 4)
y = x @ torch.tensor([1.0, -2.0, 0.5, 3.0]) + 0.1 * torch.randn(1000)
loader = DataLoader(TensorDataset(x, y), batch_size=100, shuffle=True)

model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(20):
    total = 0.0
    for inputs, target in loader:
        optimizer.zero_grad()
        prediction = model(inputs)
        loss = ((prediction - target) ** 2).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
    with torch.no_grad():
        r2 = 1 - (y - model(x).view(-1)).pow(2).mean() / y.var()
    print(f"epoch {epoch:2d} | mse loss {total / len(loader):.4f} | r2 {r2.item():.4f}")
