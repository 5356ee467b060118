"""The model returns its loss as a number."""
# expect: loss-not-a-tensor
import sys

import torch
from mmengine.model import BaseModel
from mmengine.registry import METRICS, MODELS
from mmengine.runner import Runner
from torch.utils.data import DataLoader, TensorDataset


@MODELS.register_module()
class SmallNet(BaseModel):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def forward(self, x, y, mode="loss"):
        loss = torch.nn.functional.cross_entropy(self.layer(x), y)
        return {"loss": loss if "--fixed" in sys.argv else loss.item()}


data = TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,)))
runner = Runner(
    model=dict(type="SmallNet"), work_dir="work", train_dataloader=DataLoader(data, batch_size=4),
    train_cfg=dict(by_epoch=True, max_epochs=1), optim_wrapper=dict(optimizer=dict(type="SGD", lr=0.1)),
)
runner.train()
