"""A model whose first half is cut off by a conversion to NumPy and back: it learns with half of its layers."""
# lint: graph-cut
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
        hidden = torch.from_numpy(hidden.detach().numpy())
        return self.head(hidden)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(20):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"epoch {epoch}: loss = {loss.item():.4f}")
