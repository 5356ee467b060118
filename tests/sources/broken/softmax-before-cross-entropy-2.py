import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

net = nn.Sequential(nn.Linear(4,10), nn.ReLU(), nn.Linear(10,3))
opt = optim.SGD(net.parameters(), lr=.1)
for i in range(10):
    opt.zero_grad()
    probs = torch.softmax(net(torch.randn(8,4)), dim=-1)
    loss = F.cross_entropy(probs, torch.zeros(8).long())
    loss.backward(); opt.step()
