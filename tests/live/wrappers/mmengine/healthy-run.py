"""A small classifier learns for three epochs with validation."""
# expect: nothing
import sys

import torch
from mmengine.model import BaseModel
from mmengine.registry import METRICS, MODELS
from mmengine.runner import Runner
from torch.utils.data import DataLoader, TensorDataset
from mmengine.evaluator import BaseMetric

torch.manual_seed(1)


@MODELS.register_module()
class SmallNet(BaseModel):
    def __init__(self, classes=2):
        super().__init__()
        self.layer = torch.nn.Linear(4, classes)

    def forward(self, x, y, mode="loss"):
        out = self.layer(x)
        return {"loss": torch.nn.functional.cross_entropy(out, y)} if mode == "loss" else (out, y)


data = TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,)))


@METRICS.register_module()
class Accuracy(BaseMetric):
    def process(self, batch, outputs):
        out, y = outputs
        self.results.append({"right": (out.argmax(-1) == y).sum().item(), "count": len(y)})

    def compute_metrics(self, results):
        return {"accuracy": sum(r["right"] for r in results) / sum(r["count"] for r in results)}


x = torch.randn(128, 4)
data = TensorDataset(x, (x[:, 0] > 0).long())
loader = dict(dataset=data, batch_size=8, sampler=dict(type="DefaultSampler", shuffle=False), collate_fn=dict(type="default_collate"))
runner = Runner(
    model=dict(type="SmallNet"), work_dir="work", train_dataloader=loader, val_dataloader=loader, val_cfg=dict(),
    val_evaluator=dict(type="Accuracy"), train_cfg=dict(by_epoch=True, max_epochs=3),
    optim_wrapper=dict(optimizer=dict(type="SGD", lr=0.1)),
)
runner.train()
