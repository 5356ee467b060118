"""BCELoss on raw scores, the sigmoid is missing."""
# expect: bce-input-not-probability
import sys

import torch

torch.manual_seed(0)
net = torch.nn.Linear(8, 1)
x, y = torch.randn(64, 8), torch.randint(0, 2, (64, 1)).float()
logits = net(x)
if "--fixed" in sys.argv:
    loss = torch.nn.BCEWithLogitsLoss()(logits, y)
else:
    loss = torch.nn.BCELoss()(logits, y)
loss.backward()
print("step done")
