"""A model that is built once more before the optimizer is given its parameters."""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(400, 8)
y = (x.sum(1) > 0).long()


class Net(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, hidden), nn.ReLU(), nn.Linear(hidden, 2))

    def forward(self, x):
        return self.layers(x)


model = Net(16)
model = Net(32)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(12):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"Epoch {epoch:02d} loss={loss.item():.6f}")
