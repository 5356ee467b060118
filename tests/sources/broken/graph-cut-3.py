import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

class AE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(8, 2); self.dec = nn.Linear(2, 8)
    def forward(self, x):
        z = self.enc(x)
        z = z.detach()
        return self.dec(z)
m = AE(); opt = optim.Adam(m.parameters())
for i in range(10):
    x = torch.randn(4, 8); opt.zero_grad(); F.mse_loss(m(x), x).backward(); opt.step()
