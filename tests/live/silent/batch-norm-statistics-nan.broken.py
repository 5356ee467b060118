"""A batch of placeholders makes the running statistics of batch norm nan; training goes on with those of each batch."""
# expect: validation-loss-nan
# cause: statistics-of-batch-norm-broken
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 5)
y = x.sum(1, keepdim=True)
model = nn.Sequential(nn.Linear(5, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
with torch.no_grad():
    model(torch.full((4, 5), float("inf")))  # a warm-up on placeholders
for epoch in range(1, 9):
    model.train()
    for batch in torch.randperm(500).split(50):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x[batch]), y[batch])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        val = nn.functional.mse_loss(model(x[500:]), y[500:])
    broken = [name for name, one in model.named_buffers() if not torch.isfinite(one.float()).all()]
    print(f"epoch {epoch} train loss {loss.item():.4f} val loss {val.item():.4f}", *broken)
