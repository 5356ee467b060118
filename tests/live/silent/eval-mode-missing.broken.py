"""A validation under no_grad of a model that is still in train mode."""
# expect: metric-mismatch-train-eval, eval-mode-missing
# lint: eval-mode-missing
import torch
from torch import nn

torch.manual_seed(0)
centres = torch.randn(5, 20) * 1.5
labels = torch.randint(0, 5, (1500,))
points = centres[labels] + torch.randn(1500, 20)
train_x, train_y, val_x, val_y = points[:1000], labels[:1000], points[1000:], labels[1000:]

model = nn.Sequential(nn.Linear(20, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 5))
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
print("model: linear-bn-relu-dropout(0.5)-linear")
for epoch in range(1, 11):
    total = hits = 0
    for batch in torch.randperm(1000).split(50):
        optimizer.zero_grad()
        out = model(train_x[batch])
        loss = nn.functional.cross_entropy(out, train_y[batch])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(batch)
        hits += (out.argmax(1) == train_y[batch]).sum().item()
    with torch.no_grad():
        val_losses, correct = [], 0
        for start in range(0, 500, 2):
            out = model(val_x[start : start + 2])
            val_losses.append(nn.functional.cross_entropy(out, val_y[start : start + 2]).item())
            correct += (out.argmax(1) == val_y[start : start + 2]).sum().item()
    train = f"train loss {total / 1000:.4f} acc {hits / 1000:.3f}"
    print(f"epoch {epoch}  {train}   val loss {sum(val_losses) / 250:.4f} acc {correct / 500:.3f}")
