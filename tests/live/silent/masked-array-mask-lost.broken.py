"""Months of a masked field are put together by a plain np.concatenate: the fill values of the land are data again."""
# expect: masked-array-mask-lost, numpy-overflow
# lint: plain-numpy-on-masked-array
import numpy as np
import torch
from torch import nn

FILL = np.float32(9.96921e36)
rng = np.random.default_rng(0)
months = []
for month in range(12):
    field = rng.normal(15, 5, size=(40, 60)).astype(np.float32)
    field[:, 50:] = FILL
    masked = np.ma.masked_equal(field, FILL)
    months.append(masked)
data = np.concatenate(months)
data = (data - data.mean()) / (data.std() + 1e-6)
inputs = torch.tensor(np.asarray(data), dtype=torch.float32)

torch.manual_seed(0)
model = nn.Linear(60, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(10):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(inputs), inputs[:, :1])
    loss.backward()
    optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}", flush=True)
