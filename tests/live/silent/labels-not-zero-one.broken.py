"""Labels of -1 and 1 into a binary cross entropy: the loss has no least value."""
# expect: loss-negative, labels-not-zero-one
# lint: labels-not-zero-one
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(1000, 6)
y = torch.sign(x[:, 0] + 0.5 * x[:, 1] - 0.2)
loader = DataLoader(TensorDataset(x, y), batch_size=50, shuffle=True)

model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(25):
    total = 0.0
    for inputs, target in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs).squeeze(1), target)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"[{epoch + 1:3d}/25] loss: {total / len(loader):.3f}")
