import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.l = nn.Linear(2, 2)
    def forward(self, x): return self.l(x)
class Trainer:
    def __init__(self):
        self.model = Net()
        self.optimizer = optim.Adam(self.model.parameters(), lr=1e-3)
        self.model = Net()
