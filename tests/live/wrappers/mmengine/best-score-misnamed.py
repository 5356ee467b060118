"""The hook that keeps the best checkpoint waits for a score that no metric gives."""
# expect: monitored-metric-missing, key-missing
import sys

import torch
from mmengine.model import BaseModel
from mmengine.registry import METRICS, MODELS
from mmengine.runner import Runner
from torch.utils.data import DataLoader, TensorDataset
from mmengine.evaluator import BaseMetric


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


best = "accuracy" if "--fixed" in sys.argv else "top1"
loader = dict(dataset=data, batch_size=4, sampler=dict(type="DefaultSampler", shuffle=False), collate_fn=dict(type="default_collate"))
runner = Runner(
    model=dict(type="SmallNet"), work_dir="work", train_dataloader=loader, val_dataloader=loader, val_cfg=dict(),
    val_evaluator=dict(type="Accuracy"), train_cfg=dict(by_epoch=True, max_epochs=2),
    optim_wrapper=dict(optimizer=dict(type="SGD", lr=0.1)), default_hooks=dict(checkpoint=dict(type="CheckpointHook", interval=1, save_best=best)),
)
runner.train()
