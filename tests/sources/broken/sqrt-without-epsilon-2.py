import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

from torch.distributions import Normal
class P(nn.Module):
    def __init__(self):
        super().__init__(); self.mu = nn.Linear(4, 2); self.var = nn.Linear(4, 2)
    def forward(self, x):
        return Normal(self.mu(x), torch.sqrt(F.relu(self.var(x))))
