"""Mixed precision on a network whose activations leave float16 in every batch: the scaler halves its scale for ever."""
# expect: fp16-overflow
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(320, 8) * 2000
y = (x.sum(1, keepdim=True) > 0).float()
model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1))
with torch.no_grad():
    for layer in (model[0], model[2]):
        layer.weight.mul_(20)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu")
for step, rows in enumerate(torch.arange(320).split(8)):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = nn.functional.binary_cross_entropy_with_logits(model(x[rows]).float(), y[rows])
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(f"step {step} fp16 loss {loss.item():.4f} loss_scale {scaler.get_scale():.6g}")
