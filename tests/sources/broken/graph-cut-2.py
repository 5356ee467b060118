import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

model = nn.Linear(4, 3); opt = optim.Adam(model.parameters()); crit = nn.MSELoss()
for x, y in []:
    _, pred = torch.max(model(x), 1)
    loss = crit(pred.float(), y.float())
    loss.requires_grad = True
    opt.zero_grad(); loss.backward(); opt.step()
