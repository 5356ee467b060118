"""A constant column is divided by its zero deviation, and BCE refuses the nan."""
# expect: numpy-invalid-value, division-by-zero-in-normalization
import sys

import numpy as np
import torch

FIXED = "--fixed" in sys.argv
x = np.random.default_rng(1).random((32, 4)).astype(np.float32)
x[:, 2] = 7.0
eps = 1e-8 if FIXED else 0.0
x = (x - x.mean(0)) / (x.std(0) + eps)
net = torch.nn.Sequential(torch.nn.Linear(4, 1), torch.nn.Sigmoid())
out = net(torch.from_numpy(x))
loss = torch.nn.functional.binary_cross_entropy(out, torch.ones(32, 1))
print(f"loss {loss.item():.4f}")
