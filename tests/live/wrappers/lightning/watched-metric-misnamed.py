"""The checkpoint callback watches val_loss, the module logs val/loss."""
# expect: monitored-metric-missing
import sys

import lightning as L
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def training_step(self, batch, i):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.layer(x), y)

    def validation_step(self, batch, i):
        x, y = batch
        self.log("val/loss", torch.nn.functional.cross_entropy(self.layer(x), y))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


data = DataLoader(TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,))), batch_size=4)
keep = ModelCheckpoint(dirpath="ckpt", monitor="val/loss" if "--fixed" in sys.argv else "val_loss")
trainer = L.Trainer(max_epochs=1, accelerator="cpu", logger=False, callbacks=[keep], enable_model_summary=False)
trainer.fit(Net(), data, data)
