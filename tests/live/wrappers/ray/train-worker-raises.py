"""A worker of Ray Train meets layers that do not fit, and the trainer wraps its exception twice."""
# expect: matmul-shape-mismatch
import sys

import ray
import torch
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchTrainer

ray.init(num_cpus=3, include_dashboard=False)


def loop(config):
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Linear(config["width"], 2))
    x = torch.randn(16, 4)
    for epoch in range(2):
        loss = model(x).square().mean()
        loss.backward()
        ray.train.report({"loss": loss.item()})


trainer = TorchTrainer(
    loop, train_loop_config={"width": 8 if "--fixed" in sys.argv else 16}, scaling_config=ScalingConfig(num_workers=2),
    run_config=RunConfig(storage_path="/tmp/ray_results", name="widths"),
)
result = trainer.fit()
print("finished in", result.path)
ray.shutdown()
