"""Validation is asked for every 100 batches, and an epoch has four."""
# expect: lightning-misconfigured
# cause: fewer-batches-than-asked
import sys

import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def training_step(self, batch, i):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.layer(x), y)

    def validation_step(self, batch, i):
        self.log("val_loss", self.training_step(batch, i))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


data = DataLoader(TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,))), batch_size=4)
trainer = L.Trainer(
    max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_model_summary=False,
    val_check_interval=1.0 if "--fixed" in sys.argv else 100,
)
trainer.fit(Net(), data, data)
