"""Many settings that PyTorch remarks on; each of them is harmless."""
# notes: harmless-torch-warning
import sys

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(8, 3))
fixed = np.frombuffer(b"\0\1\2\3", dtype=np.uint8)
if "--fixed" in sys.argv:
    bytes_ = torch.from_numpy(fixed.copy())
    rows = torch.from_numpy(np.stack([np.zeros(3), np.ones(3)]))
    rnn = nn.LSTM(3, 4, num_layers=2, dropout=0.1)
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, batch_first=True), 1)
    loader = DataLoader(data)
else:
    bytes_ = torch.from_numpy(fixed)
    buffer = torch.frombuffer(b"\0\1\2\3", dtype=torch.uint8)
    rows = torch.tensor([np.zeros(3), np.ones(3)])
    rnn = nn.LSTM(3, 4, num_layers=1, dropout=0.1)
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, batch_first=False), 1)
    loader = DataLoader(data, num_workers=4096)
    nothing = nn.Linear(0, 2)
    lazy = nn.LazyLinear(2)
    scaler = torch.amp.GradScaler("cuda")
    w = torch.ones(2, requires_grad=True)
    w.pow(2).sum().backward(create_graph=True)
    torch.autograd.set_detect_anomaly(True)
    with torch.autograd.detect_anomaly():
        pass
print("epoch 1/1 rows", tuple(rows.shape))
