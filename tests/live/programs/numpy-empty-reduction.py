"""A class without samples: the mean of nothing becomes nan, and the loss with it."""
# expect: numpy-empty-reduction
# cause: empty-selection
import sys

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
x = rng.normal(size=(60, 4))
y = rng.integers(0, 3, 60)
y[y == 2] = 1  # the third class was filtered out
centres = []
for label in range(3):
    rows = x[y == label]
    if "--fixed" in sys.argv and not len(rows):
        continue
    centres.append(rows.mean(axis=0))
target = torch.tensor(np.array(centres).mean(axis=0), dtype=torch.float32)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(8):
    loss = nn.functional.mse_loss(model(torch.tensor(x, dtype=torch.float32)), target.expand(60, 4))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step} loss {loss.item():.4f}")
