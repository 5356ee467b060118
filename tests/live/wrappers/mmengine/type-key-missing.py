"""A part of the configuration has no key type."""
# expect: config-key-missing
# cause: type-left-out
import sys

import torch
from mmengine.model import BaseModel
from mmengine.registry import METRICS, MODELS
from mmengine.runner import Runner
from torch.utils.data import DataLoader, TensorDataset


@MODELS.register_module()
class SmallNet(BaseModel):
    def __init__(self, classes=2):
        super().__init__()
        self.layer = torch.nn.Linear(4, classes)

    def forward(self, x, y, mode="loss"):
        out = self.layer(x)
        return {"loss": torch.nn.functional.cross_entropy(out, y)} if mode == "loss" else (out, y)


data = TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,)))
model = dict(type="SmallNet", classes=2) if "--fixed" in sys.argv else dict(classes=2)
runner = Runner(
    model=model, work_dir="work", train_dataloader=DataLoader(data, batch_size=4),
    train_cfg=dict(by_epoch=True, max_epochs=1), optim_wrapper=dict(optimizer=dict(type="SGD", lr=0.1)),
)
runner.train()
