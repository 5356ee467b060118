import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8); self.bn = nn.BatchNorm1d(8); self.fc2 = nn.Linear(8, 2)
    def forward(self, x): return self.fc2(torch.relu(self.bn(self.fc1(x))))
def evaluate(model, loader):
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x).argmax(1) == y).sum().item()
    return correct
def main():
    model = Net()
    opt = optim.Adam(model.parameters())
    for epoch in range(3):
        model.train()
        for x, y in []:
            opt.zero_grad(); F.cross_entropy(model(x), y).backward(); opt.step()
        print(evaluate(model, []))
main()
