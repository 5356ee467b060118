"""The logarithm of a silent frame is -inf, and the standardised features are nan."""
# expect: numpy-divide-by-zero
# cause: log-of-nonpositive
import sys

import numpy as np
import torch
from torch import nn

power = np.random.default_rng(0).uniform(0.1, 2.0, size=(80, 6))
power[11] = 0.0  # silence
floor = 1e-10 if "--fixed" in sys.argv else 0.0
features = np.log10(np.maximum(power, floor))
features = (features - features.mean(axis=0)) / (features.std(axis=0) + 1e-8)
inputs = torch.tensor(features, dtype=torch.float32)
labels = torch.arange(80) % 2
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    loss = nn.functional.cross_entropy(model(inputs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step} loss {loss.item():.4f}")
