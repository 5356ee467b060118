"""Counts of a class that never occurs: its weight is inf, and so is the loss."""
# expect: numpy-divide-by-zero
# cause: division-by-zero-in-normalization
import sys

import numpy as np
import torch
from torch import nn

labels = np.random.default_rng(0).integers(0, 3, 90)
counts = np.bincount(labels, minlength=4)
if "--fixed" in sys.argv:
    counts = np.maximum(counts, 1)
weights = counts.sum() / counts
weights = weights / weights.sum()
criterion = nn.CrossEntropyLoss(weight=torch.tensor(weights, dtype=torch.float32))
model = nn.Linear(5, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(90, 5), torch.tensor(labels)
for step in range(6):
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step} loss {loss.item():.4f}")
