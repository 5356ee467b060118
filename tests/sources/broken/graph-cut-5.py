import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

enc = nn.Linear(8, 2); head = nn.Linear(2, 3)
opt = optim.Adam(list(enc.parameters()) + list(head.parameters()))
crit = nn.CrossEntropyLoss()
for x, y in []:
    features = enc(x).detach()
    loss = crit(head(features), y)
    opt.zero_grad(); loss.backward(); opt.step()
