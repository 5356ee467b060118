"""The path of the configuration leads nowhere."""
# expect: deepspeed-config-invalid
# cause: path-or-json-wrong
import json
import os
import sys

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29542", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch

config = {"train_batch_size": 2, "optimizer": {"type": "SGD", "params": {"lr": 0.1}}}
if "--fixed" in sys.argv:
    os.makedirs("configs")
    with open("configs/zero2.json", "w") as out:
        json.dump(config, out)
model = torch.nn.Linear(4, 2)
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config="configs/zero2.json")
print("batch", engine.train_batch_size())
