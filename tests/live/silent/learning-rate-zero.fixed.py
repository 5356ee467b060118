"""The schedule is given the number of steps that the run makes."""
import torch
from torch import nn

EPOCHS = 10
torch.manual_seed(0)
x = torch.randn(640, 8)
y = (x.sum(1) > 0).long()
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=EPOCHS * 640 // 32)
for epoch in range(EPOCHS):
    for rows in torch.randperm(640).split(32):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(f"epoch {epoch} loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.6f}")
