"""Two workers of Ray Train learn for five epochs and report."""
# expect: nothing
import ray
import torch
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchTrainer, prepare_model

ray.init(num_cpus=3, include_dashboard=False)


def loop():
    torch.manual_seed(1)
    model = prepare_model(torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2)))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    x = torch.randn(128, 4)
    y = (x[:, 0] > 0).long()
    for epoch in range(5):
        for i in range(0, 128, 16):
            loss = torch.nn.functional.cross_entropy(model(x[i : i + 16]), y[i : i + 16])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")
        ray.train.report({"epoch": epoch, "loss": loss.item()})


trainer = TorchTrainer(
    loop, scaling_config=ScalingConfig(num_workers=2), run_config=RunConfig(storage_path="/tmp/ray_results", name="healthy"),
)
result = trainer.fit()
print("finished in", result.path)
ray.shutdown()
