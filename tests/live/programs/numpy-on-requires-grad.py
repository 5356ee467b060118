"""Predictions go to NumPy without detach."""
# expect: numpy-on-requires-grad
import sys

import torch

out = torch.nn.Linear(4, 1)(torch.randn(8, 4))
preds = (out.detach() if "--fixed" in sys.argv else out).numpy()
print(preds.shape)
