"""A model that learns with all of its layers."""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(500, 8)
y = (x[:, 0] * x[:, 1] > 0).long()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(8, 32), nn.Tanh())
        self.head = nn.Linear(32, 2)

    def forward(self, x):
        hidden = self.encoder(x)
        return self.head(hidden)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(20):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"epoch {epoch}: loss = {loss.item():.4f}")
