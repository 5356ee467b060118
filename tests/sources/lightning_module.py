"""A LightningModule: the trainer zeroes, steps and switches modes."""
import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(L.LightningModule):
    def __init__(self, width=64, rate=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(20, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, 3))
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = self.criterion(self(x), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.log("val_loss", F.cross_entropy(logits, y), prog_bar=True)
        self.log("val_acc", (logits.argmax(1) == y).float().mean(), prog_bar=True)

    def predict_step(self, batch, batch_idx):
        return F.softmax(self(batch[0]), dim=1)

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.rate)
        return [optimizer], [torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)]


x = torch.randn(1000, 20)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
train = DataLoader(TensorDataset(x[:800], y[:800]), batch_size=32, shuffle=True)
val = DataLoader(TensorDataset(x[800:], y[800:]), batch_size=32)
L.Trainer(max_epochs=10).fit(Classifier(), train, val)
