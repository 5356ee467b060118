"""The last batch holds one sample."""
# expect: batchnorm-single-value
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

net = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.BatchNorm1d(32))
loader = DataLoader(TensorDataset(torch.randn(17, 8)), batch_size=4, drop_last="--fixed" in sys.argv)
for step, (x,) in enumerate(loader):
    net(x)
    print(f"step {step}")
