import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

torch.manual_seed(0)
N = 100
x = torch.linspace(-1, 1, N).unsqueeze(1)
y = (x ** 2).squeeze(1)
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(1, 16); self.l2 = nn.Linear(16, 1)
    def forward(self, x):
        h = torch.tanh(self.l1(x))
        return self.l2(h)
m = M()
opt = optim.SGD(m.parameters(), lr=.1)
for i in range(100):
    pred = m(x)
    loss = torch.mean((pred - y) ** 2)
    opt.zero_grad(); loss.backward(); opt.step()
