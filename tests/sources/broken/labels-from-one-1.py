import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

num_classes = 5
x = torch.randn(100, 4); y = torch.from_numpy(np.random.randint(1, num_classes + 1, 100))
m = nn.Linear(4, num_classes + 1)
loss = nn.CrossEntropyLoss()(m(x), y)
