"""A view with a fixed size mixes the batch into the features."""
# expect: loss-size-mismatch
import sys

import torch

x, y = torch.randn(4, 8, 9, 9), torch.zeros(4, dtype=torch.long)
h = x.flatten(1) if "--fixed" in sys.argv else x.view(-1, 8)
out = torch.nn.Linear(h.shape[1], 3)(h)
loss = torch.nn.CrossEntropyLoss()(out, y)
loss.backward()
print("step done")
