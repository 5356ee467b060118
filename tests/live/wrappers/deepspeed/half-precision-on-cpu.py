"""fp16 is asked for where the accelerator can not do it."""
# expect: precision-not-supported
import os
import sys

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29546", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch

model = torch.nn.Linear(4, 2)
config = {
    "train_batch_size": 2,
    "optimizer": {"type": "SGD", "params": {"lr": 0.1}},
    "fp16": {"enabled": "--fixed" not in sys.argv},
}
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
print("fp16", engine.fp16_enabled())
