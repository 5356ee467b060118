import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split

class CNN(nn.Module):
    def __init__(self):
        super(CNN, self).__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.fc = nn.Linear(8*26*26, 10)
        self.softmax = nn.Softmax(dim=1)
    def forward(self, x):
        x = F.relu(self.conv(x))
        x = x.view(-1, 8*26*26)
        out = self.fc(x)
        out = self.softmax(out)
        return out
def train(model, device, train_loader, optimizer, criterion, epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(train_loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = criterion(output, target)
        loss.backward()
        optimizer.step()
def main():
    device = torch.device("cpu")
    model = CNN().to(device)
    optimizer = optim.Adam(model.parameters())
    criterion = nn.CrossEntropyLoss()
    for epoch in range(3):
        train(model, device, None, optimizer, criterion, epoch)
main()
