"""Labels that count from 1, and one output too many: class 0 never has a sample, and nothing is raised."""
# lint: labels-from-one
import torch
from torch import nn

torch.manual_seed(0)
labels = torch.randint(1, 4, (600,))
points = torch.randn(4, 10)[labels] * 2 + torch.randn(600, 10)

model = nn.Linear(10, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(15):
    optimizer.zero_grad()
    out = model(points)
    loss = nn.functional.cross_entropy(out, labels)
    loss.backward()
    optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f} acc {(out.argmax(1) == labels).float().mean().item():.3f}")
