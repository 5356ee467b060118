"""A normalisation with an epsilon."""
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
x = rng.normal(size=(300, 4)).astype(np.float32)
x[:, 2] = 7.0
y = torch.from_numpy(x[:, :1] - x[:, 1:2])
x = (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-8)
inputs = torch.from_numpy(x)

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(10):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(inputs), y)
    loss.backward()
    optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}", flush=True)
