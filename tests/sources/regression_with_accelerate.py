"""A regression under accelerate: standardised inputs, prepared objects, metrics of the whole set."""
import numpy as np
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self, x, y):
        std = x.std(axis=0)
        std[std == 0] = 1.0
        self.x = torch.from_numpy(((x - x.mean(axis=0)) / std).astype(np.float32))
        self.y = torch.from_numpy(y.astype(np.float32)).unsqueeze(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(8, 32), nn.Linear(32, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.fc2(self.drop(torch.relu(self.fc1(x))))


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1000, 8))
    y = x @ rng.normal(size=8)
    accelerator = Accelerator()
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    train, val = Table(x[:800], y[:800]), Table(x[800:], y[800:])
    train_loader, val_loader = DataLoader(train, batch_size=32, shuffle=True), DataLoader(val, batch_size=32)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=100)
    model, optimizer, train_loader, val_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, val_loader, scheduler
    )
    criterion = nn.MSELoss()
    for epoch in range(20):
        model.train()
        for inputs, target in train_loader:
            with accelerator.accumulate(model):
                loss = criterion(model(inputs), target)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        model.eval()
        errors = []
        for inputs, target in val_loader:
            with torch.no_grad():
                errors.append(((model(inputs) - target) ** 2).mean().item())
        accelerator.print(f"epoch {epoch}: val_mse {sum(errors) / len(errors):.4f} rmse {np.sqrt(np.mean(errors)):.4f}")


if __name__ == "__main__":
    main()
