"""The same, with the sum begun again in each epoch."""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 5)
y = x.sum(1, keepdim=True) + 1.0 * torch.randn(256, 1)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(30):
    running_loss = 0.0
    for batch in torch.randperm(256).split(32):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x[batch]), y[batch])
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    print(f"epoch {epoch} running_loss {running_loss:.4f}")
