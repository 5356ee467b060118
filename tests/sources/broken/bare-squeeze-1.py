import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out.squeeze(), y)
        loss.backward(); optimizer.step()
train(nn.Linear(4, 1), None, nn.MSELoss(), None)
