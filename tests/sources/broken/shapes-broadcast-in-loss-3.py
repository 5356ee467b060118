import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

def mse(p, t):
    return ((p - t) ** 2).mean()
x = torch.randn(64, 5); w = torch.randn(5)
y = x @ w
m = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(m.parameters(), lr=.1)
for i in range(100):
    opt.zero_grad(); l = mse(m(x), y); l.backward(); opt.step()
