"""Two ranks train under DeepSpeed's launcher with ZeRO stage 1 and save a checkpoint."""
# expect: nothing
# run: -m deepspeed.launcher.runner --num_gpus 2 --master_port 29550
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
parser.parse_args()
import deepspeed
import torch

torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
config = {
    "train_micro_batch_size_per_gpu": 16, "optimizer": {"type": "Adam", "params": {"lr": 0.02, "torch_adam": True}},
    "bf16": {"enabled": True}, "zero_optimization": {"stage": 1}, "steps_per_print": 10,
}
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config, dist_init_required=True)
for step in range(40):
    x = torch.randn(16, 4)
    loss = torch.nn.functional.cross_entropy(engine(x.bfloat16()).float(), (x[:, 0] > 0).long())
    engine.backward(loss)
    engine.step()
    if engine.global_rank == 0 and step % 5 == 0:
        print(f"step {step} loss {loss.item():.4f}", flush=True)
engine.save_checkpoint("runs/last")
torch.distributed.destroy_process_group()
