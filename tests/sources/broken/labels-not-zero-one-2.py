import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

y = torch.randint(0, 2, (100,)).float()
y[y == 0] = -1
x = torch.randn(100, 4)
m = nn.Linear(4, 1)
loss = F.binary_cross_entropy_with_logits(m(x).view(-1), y)
