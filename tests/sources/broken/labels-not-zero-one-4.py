import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

x = torch.randn(100, 4)
y = torch.tensor([1.0 if v > 0 else -1.0 for v in x[:, 0]])
loss = nn.BCEWithLogitsLoss()(x.sum(1), y)
