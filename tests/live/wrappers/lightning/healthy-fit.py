"""A module learns for five epochs with validation, early stopping and a checkpoint of the best."""
# expect: nothing
import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset

L.seed_everything(1)


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))

    def training_step(self, batch, i):
        x, y = batch
        loss = torch.nn.functional.cross_entropy(self.layer(x), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, i):
        x, y = batch
        out = self.layer(x)
        self.log("val_loss", torch.nn.functional.cross_entropy(out, y), prog_bar=True)
        self.log("val_acc", (out.argmax(-1) == y).float().mean(), prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.02)


x = torch.randn(160, 4)
y = (x[:, 0] + x[:, 1] > 0).long()
train = DataLoader(TensorDataset(x[:128], y[:128]), batch_size=16, shuffle=True)
held = DataLoader(TensorDataset(x[128:], y[128:]), batch_size=16)
trainer = L.Trainer(
    max_epochs=5, accelerator="cpu", logger=False, log_every_n_steps=1,
    callbacks=[EarlyStopping("val_loss", patience=3), ModelCheckpoint(dirpath="ckpt", monitor="val_loss")],
)
trainer.fit(Net(), train, held)
