import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

class D(Dataset):
    def __init__(self):
        self.x = torch.randn(100, 4)
        self.y = torch.sign(self.x.sum(1))
    def __len__(self): return 100
    def __getitem__(self, i): return self.x[i], self.y[i]
m = nn.Linear(4, 1); crit = nn.BCEWithLogitsLoss()
for x, y in DataLoader(D(), batch_size=10, shuffle=True):
    loss = crit(m(x).squeeze(-1), y)
    loss.backward()
