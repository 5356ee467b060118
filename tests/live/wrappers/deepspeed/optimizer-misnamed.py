"""The configuration names an optimizer that torch does not have."""
# expect: deepspeed-config-invalid
# cause: optimizer-name-unknown
import os
import sys

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29548", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch

model = torch.nn.Linear(4, 2)
config = {
    "train_batch_size": 2,
    "optimizer": {"type": "SGD" if "--fixed" in sys.argv else "AdamWithDecay", "params": {"lr": 0.1}},
}
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
print("ready")
