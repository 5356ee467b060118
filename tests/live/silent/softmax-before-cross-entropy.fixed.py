"""A classifier of ten blobs whose model returns logits."""
import torch
from torch import nn

torch.manual_seed(0)
centres = torch.randn(10, 16) * 3
labels = torch.randint(0, 10, (2000,))
points = centres[labels] + torch.randn(2000, 16)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.body(x)


model = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
for epoch in range(1, 16):
    order = torch.randperm(len(points))
    total = hits = 0
    for batch in order.split(50):
        optimizer.zero_grad()
        out = model(points[batch])
        loss = criterion(out, labels[batch])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
        hits += (out.argmax(1) == labels[batch]).sum().item()
    print(f"Epoch {epoch}/15  train_loss {total / len(points):.4f}  train_acc {hits / len(points):.4f}")
