"""A configuration for the Trainer of Transformers, with its word "auto", is given to DeepSpeed itself."""
# expect: operand-types-unlike, deepspeed-config-invalid
# cause: auto-left-in-configuration
import os
import sys

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29551", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch

model = torch.nn.Linear(4, 2)
config = {
    "train_batch_size": 2,
    "train_micro_batch_size_per_gpu": 2 if "--fixed" in sys.argv else "auto",
    "optimizer": {"type": "SGD", "params": {"lr": 0.1}},
}
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
print("batch", engine.train_batch_size())
