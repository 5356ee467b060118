"""train_batch_size is not micro batch times accumulation times ranks."""
# expect: batch-not-divisible-by-ranks
import os
import sys

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29541", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch

model = torch.nn.Linear(4, 2)
config = {
    "train_batch_size": 2 * 4 if "--fixed" in sys.argv else 16,
    "train_micro_batch_size_per_gpu": 2,
    "gradient_accumulation_steps": 4,
    "optimizer": {"type": "SGD", "params": {"lr": 0.1}},
}
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
print("batch", engine.train_batch_size())
