import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

x = torch.randn(100, 3)
mu, sigma = x.mean(0), x.std(0)
x = x.sub(mu).div(sigma)
