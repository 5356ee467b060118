import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

from netCDF4 import Dataset as NC
nc = NC("x.nc")
t = nc["temp"][:]
s = nc.variables["salt"][:]
x = np.concatenate([t, s])
