"""A weight is used directly under ZeRO-3, which keeps only its part outside of forward."""
# expect: zero3-weights-not-gathered
# cause: used-outside-of-forward
import os
import sys

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29553", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch

config = {
    "train_batch_size": 2, "optimizer": {"type": "Adam", "params": {"lr": 0.1, "torch_adam": True}}, "bf16": {"enabled": True},
    "zero_optimization": {"stage": 3},
}
model = torch.nn.Sequential(torch.nn.Embedding(4, 8), torch.nn.Linear(8, 2))
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
ids = torch.tensor([[0, 1, 2]])
weight = engine.module[0].weight
if "--fixed" in sys.argv:
    with deepspeed.zero.GatheredParameters([weight]):
        prompt = torch.nn.functional.embedding(ids, weight)
else:
    prompt = torch.nn.functional.embedding(ids, weight)
print("prompt", tuple(prompt.shape))
