"""The Trainer is told to use a GPU on a machine without one."""
# expect: no-gpu-available
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

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


data = DataLoader(TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,))), batch_size=4)
trainer = L.Trainer(
    max_epochs=1, accelerator="auto" if "--fixed" in sys.argv else "gpu", devices=1, logger=False,
    enable_checkpointing=False, enable_model_summary=False,
)
trainer.fit(Net(), data)
