import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

class D(Dataset):
    def __init__(self, x, y):
        self.x = torch.tensor(x, dtype=torch.float32)
        self.y = torch.tensor(y, dtype=torch.float32)
    def __len__(self): return len(self.x)
    def __getitem__(self, i): return self.x[i], self.y[i]
X = np.random.randn(100, 3)
y = X @ np.array([1., 2., 3.])
loader = DataLoader(D(X, y), batch_size=10, shuffle=True)
model = nn.Linear(3, 1)
opt = optim.Adam(model.parameters())
for xb, yb in loader:
    opt.zero_grad()
    loss = nn.MSELoss()(model(xb), yb)
    loss.backward(); opt.step()
