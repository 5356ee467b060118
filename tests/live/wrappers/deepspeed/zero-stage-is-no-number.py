"""The stage of ZeRO is given as a word."""
# expect: deepspeed-config-invalid
# cause: value-of-wrong-type
import os
import sys

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29543", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch

model = torch.nn.Linear(4, 2)
config = {
    "train_batch_size": 2,
    "optimizer": {"type": "SGD", "params": {"lr": 0.1}},
    "zero_optimization": {"stage": 0 if "--fixed" in sys.argv else "three"},
}
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
print("stage", engine.zero_optimization_stage())
