"""A run is resumed with fewer epochs than its checkpoint has done."""
# expect: nothing-to-resume
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


quiet = {"accelerator": "cpu", "logger": False, "enable_model_summary": False, "enable_progress_bar": False}
data = DataLoader(TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,))), batch_size=4)
first = L.Trainer(max_epochs=3, enable_checkpointing=False, **quiet)
first.fit(Net(), data)
first.save_checkpoint("last.ckpt")
trainer = L.Trainer(max_epochs=5 if "--fixed" in sys.argv else 2, enable_checkpointing=False, **quiet)
trainer.fit(Net(), data, ckpt_path="last.ckpt")
print("epochs", trainer.current_epoch)
