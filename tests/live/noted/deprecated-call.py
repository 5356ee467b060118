"""The mixed precision of an older PyTorch, by its old name."""
# notes: deprecated-call
import sys

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
if "--fixed" in sys.argv:
    scaler = torch.amp.GradScaler("cpu")
else:
    scaler = torch.cpu.amp.GradScaler()
for step in range(3):
    opt.zero_grad()
    loss = net(torch.randn(8, 4)).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    print(f"step {step} loss {loss.item():.4f}")
