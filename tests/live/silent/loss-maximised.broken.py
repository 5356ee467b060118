"""A classifier whose optimizer was left at maximize=True, as a copy of a policy gradient script had it."""
# expect: loss-rising
# cause: sign-of-loss-wrong
import torch
from torch import nn

torch.manual_seed(0)
centres = torch.randn(4, 10)
y = torch.randint(0, 4, (800,))
x = centres[y] + torch.randn(800, 10)
model = nn.Linear(10, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.004, maximize=True)
print(optimizer)
for step in range(240):
    batch = torch.randint(0, 800, (64,))
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x[batch]), y[batch])
    loss.backward()
    optimizer.step()
    if step % 8 == 0:
        print(f"step {step} loss {loss.item():.4f}")
