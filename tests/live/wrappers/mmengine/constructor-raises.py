"""A class that the registry builds reads a file that is not there."""
# expect: file-not-found
import json
import pathlib
import sys

import torch
from mmengine.model import BaseModel
from mmengine.registry import METRICS, MODELS
from mmengine.runner import Runner
from torch.utils.data import DataLoader, TensorDataset


@MODELS.register_module()
class SmallNet(BaseModel):
    def __init__(self, names):
        super().__init__()
        with open(names) as file:
            self.names = json.load(file)
        self.layer = torch.nn.Linear(4, len(self.names))

    def forward(self, x, y, mode="loss"):
        out = self.layer(x)
        return {"loss": torch.nn.functional.cross_entropy(out, y)} if mode == "loss" else (out, y)


if "--fixed" in sys.argv:
    pathlib.Path("names.json").write_text('["cat", "dog"]')
data = TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,)))
runner = Runner(
    model=dict(type="SmallNet", names="names.json"), work_dir="work", train_dataloader=DataLoader(data, batch_size=4),
    train_cfg=dict(by_epoch=True, max_epochs=1), optim_wrapper=dict(optimizer=dict(type="SGD", lr=0.1)),
)
runner.train()
