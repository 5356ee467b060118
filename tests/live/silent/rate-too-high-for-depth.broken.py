"""A deep network at a rate of 3: the first steps saturate every unit, and the loss stays at that of a blind guess."""
# expect: loss-at-chance
# cause: learning-rate-too-high
import torch
from torch import nn

torch.manual_seed(0)
centres = torch.randn(10, 32)
labels = torch.arange(2000) % 10
x = centres[labels] + torch.randn(2000, 32)
layers = [nn.Linear(32, 64), nn.Tanh()]
for _ in range(3):
    layers += [nn.Linear(64, 64), nn.ReLU()]
model = nn.Sequential(*layers, nn.Linear(64, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=0.3)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 320)
print("learning rate: 0.3")
for epoch in range(32):
    total, right = 0.0, 0
    for rows in torch.randperm(2000).split(200):
        optimizer.zero_grad()
        out = model(x[rows])
        loss = nn.functional.cross_entropy(out, labels[rows])
        loss.backward()
        optimizer.step()
        schedule.step()
        total += loss.item() / 10
        right += (out.argmax(1) == labels[rows]).sum().item()
    print(f"epoch {epoch} loss {total:.4f} acc {right / len(x):.4f}")
