"""Lightning starts the second rank as a process of its own, and its data set lacks a file that only rank 1 reads."""
# expect: file-not-found
import os
import sys

import lightning as L
import torch
from torch.utils.data import DataLoader, Dataset


class Shards(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        if i == 5 and "--fixed" not in sys.argv:
            open("shards/part-00005.bin", "rb").read()
        return torch.randn(4), torch.tensor(i % 2)


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def training_step(self, batch, i):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.layer(x), y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


if __name__ == "__main__":
    trainer = L.Trainer(
        max_epochs=1, accelerator="cpu", devices=2, strategy="ddp", logger=False, enable_checkpointing=False,
        enable_model_summary=False, enable_progress_bar=False,
    )
    trainer.fit(Net(), DataLoader(Shards(), batch_size=2))
