"""One row of the validation set holds a nan; the training set is sound."""
# expect: validation-loss-nan
# cause: nan-in-input-data
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 5)
y = x.sum(1, keepdim=True)
x[550, 2] = float("nan")
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
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
    print(f"epoch {epoch} train loss {loss.item():.4f} val loss {val.item():.4f}")
