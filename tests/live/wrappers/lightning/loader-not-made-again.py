"""In a distributed run Lightning makes the loader again with a sampler of its own, and a loader class of one's own does not let it."""
# expect: lightning-misconfigured
# cause: loader-not-remade
import sys

import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


class Loader(DataLoader):
    def __init__(self, count, *args, **kwargs):
        data = TensorDataset(torch.randn(count, 4), torch.randint(0, 2, (count,)))
        super().__init__(data, *args, **kwargs)


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
    if "--fixed" in sys.argv:
        data = DataLoader(TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,))), batch_size=4)
    else:
        data = Loader(16, batch_size=4)
    trainer = L.Trainer(
        max_epochs=1, accelerator="cpu", devices=2, strategy="ddp_spawn", logger=False, enable_checkpointing=False,
        enable_model_summary=False, enable_progress_bar=False,
    )
    trainer.fit(Net(), data)
