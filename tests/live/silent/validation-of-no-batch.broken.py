"""The validation set is smaller than a batch and drop_last is set, so that the loss is a mean over nothing."""
# expect: numpy-empty-reduction
# cause: empty-selection
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(300, 5)
y = x.sum(1, keepdim=True)
train = DataLoader(TensorDataset(x[:270], y[:270]), batch_size=64, shuffle=True, drop_last=True)
val = DataLoader(TensorDataset(x[270:], y[270:]), batch_size=64, drop_last=True)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for epoch in range(1, 9):
    model.train()
    losses = []
    for inputs, targets in train:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        val_losses = [nn.functional.mse_loss(model(inputs), targets).item() for inputs, targets in val]
    print(f"epoch {epoch} train loss {np.mean(losses):.4f} val loss {np.mean(val_losses):.4f}")
