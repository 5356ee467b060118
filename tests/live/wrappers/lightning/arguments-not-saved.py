"""The module did not save its arguments, so loading the checkpoint can not make it again."""
# expect: missing-argument
import sys

import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Net(L.LightningModule):
    def __init__(self, width):
        super().__init__()
        if "--fixed" in sys.argv:
            self.save_hyperparameters()
        self.layer = torch.nn.Linear(4, width)

    def training_step(self, batch, i):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.layer(x), y)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


data = DataLoader(TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,))), batch_size=4)
trainer = L.Trainer(
    max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_model_summary=False,
    enable_progress_bar=False,
)
trainer.fit(Net(2), data)
trainer.save_checkpoint("last.ckpt")
model = Net.load_from_checkpoint("last.ckpt")
print(model)
