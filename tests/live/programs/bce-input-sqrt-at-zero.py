"""The gradient of sqrt at 0 makes the weights nan, and the next step fails in BCE."""
# expect: bce-input-not-probability, sqrt-at-zero
import sys

import torch

FIXED = "--fixed" in sys.argv
torch.manual_seed(0)
net = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(16, 4)
x[3] = 0.0
eps = 1e-8 if FIXED else 0.0
for step in range(3):
    h = net(x) - net.bias
    norm = torch.sqrt((h**2).sum(1, keepdim=True) + eps)
    p = torch.sigmoid(norm)
    loss = torch.nn.functional.binary_cross_entropy(p, torch.ones(16, 1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"step {step}")
