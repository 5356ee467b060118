"""Mixed precision with a norm whose gradient at 0 is nan: the loss is finite, each step is skipped, the scale falls."""
# expect: loss-scale-collapse
# lint: sqrt-without-epsilon
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(400, 8)
y = (x.sum(1) > 0).long()
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
head = nn.Linear(16, 2)
optimizer = torch.optim.SGD([*model.parameters(), *head.parameters()], lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for step, rows in enumerate(torch.arange(400).split(10)):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        hidden = model(x[rows])
        hidden = hidden - hidden.detach()[:1]
        length = torch.sqrt((hidden.float() ** 2).sum(1, keepdim=True))
        loss = nn.functional.cross_entropy(head(hidden / (length + 1e-3)).float(), y[rows])
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(f"step {step} loss {loss.item():.4f} scale {scaler.get_scale():.6g}")
