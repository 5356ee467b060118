import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

class LN(nn.Module):
    def forward(self, x):
        m = x.mean(-1, keepdim=True)
        std = torch.sqrt(((x - m) ** 2).mean(-1, keepdim=True))
        return (x - m) / std
