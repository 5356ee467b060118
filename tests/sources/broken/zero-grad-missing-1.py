import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

def train(epoch):
    model.train()
    for data, target in train_loader:
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
