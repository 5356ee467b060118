import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

a = np.ma.array(np.ones(3), mask=[0, 0, 1]); b = np.ma.array(np.ones(3), mask=[0, 1, 1])
data = np.vstack((a, b)).astype(np.float32)
