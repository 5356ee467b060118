"""The first layer does not fit the data, and the bar stands on the line before the traceback."""
# expect: matmul-shape-mismatch
import sys

import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Flatten(), torch.nn.Linear(16 if "--fixed" in sys.argv else 12, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2),
        )

    def training_step(self, batch, i):
        x, y = batch
        loss = torch.nn.functional.cross_entropy(self.layers(x), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


data = DataLoader(TensorDataset(torch.randn(16, 1, 4, 4), torch.randint(0, 2, (16,))), batch_size=4)
trainer = L.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Net(), data)
