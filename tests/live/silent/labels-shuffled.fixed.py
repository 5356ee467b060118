"""Inputs and labels are shuffled by one order."""
import torch
from torch import nn

torch.manual_seed(0)
centres = torch.randn(4, 16) * 2
labels = torch.arange(4000) % 4
x = centres[labels] + torch.randn(4000, 16)
x = (x - x.mean(0)) / (x.std(0) + 1e-8)
order = torch.randperm(4000)
x, labels = x[order], labels[order]
model = nn.Linear(16, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
for epoch in range(20):
    total, right = 0.0, 0
    for rows in torch.randperm(4000).split(200):
        optimizer.zero_grad()
        out = model(x[rows])
        loss = nn.functional.cross_entropy(out, labels[rows])
        loss.backward()
        optimizer.step()
        total += loss.item() / 20
        right += (out.argmax(1) == labels[rows]).sum().item()
    print(f"epoch {epoch} loss {total:.4f} acc {right / len(x):.4f}")
