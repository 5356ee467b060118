"""A loop counts more steps than the loader has batches."""

# cause: fewer-batches-than-steps
# place: = next(
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(10, 2)), batch_size=5)
batches = iter(loader)
for step in range(2 if "--fixed" in sys.argv else 4):
    (batch,) = next(batches)
    print(f"step {step} mean {batch.mean():.3f}")
