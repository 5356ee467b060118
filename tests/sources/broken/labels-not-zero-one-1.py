import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

X = np.random.randn(100, 4)
y = np.where(X[:, 0] > 0, 1, -1)
X = torch.tensor(X).float(); y = torch.tensor(y).float()
m = nn.Linear(4, 1); crit = nn.BCEWithLogitsLoss()
loss = crit(m(X).squeeze(1), y)
