"""Two ranks are spawned, and one meets a label beyond the model's outputs."""
# expect: target-out-of-range
import sys

import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Net(L.LightningModule):
    def __init__(self, classes):
        super().__init__()
        self.layer = torch.nn.Linear(4, classes)

    def training_step(self, batch, i):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.layer(x), y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


if __name__ == "__main__":
    y = torch.tensor([0, 1, 0, 1, 0, 2, 0, 1])
    data = DataLoader(TensorDataset(torch.randn(8, 4), y), batch_size=4)
    trainer = L.Trainer(
        max_epochs=1, accelerator="cpu", devices=2, strategy="ddp_spawn", logger=False, enable_checkpointing=False,
        enable_model_summary=False,
    )
    trainer.fit(Net(3 if "--fixed" in sys.argv else 2), data)
