import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

enc = nn.Linear(8, 2); dec = nn.Linear(2, 8)
opt = optim.Adam(list(enc.parameters()) + list(dec.parameters()))
for i in range(10):
    x = torch.randn(4, 8)
    z = enc(x)
    z = torch.tensor(z.detach().numpy())
    out = dec(z)
    opt.zero_grad(); F.mse_loss(out, x).backward(); opt.step()
