"""There is no checkpoint to resume from; load_checkpoint only warns and returns None, and the next line fails."""
# expect: trainer-checkpoint-not-found
import os
import sys

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29547", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch

model = torch.nn.Linear(4, 2)
config = {"train_batch_size": 2, "optimizer": {"type": "SGD", "params": {"lr": 0.1}}}
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
if "--fixed" in sys.argv:
    engine.save_checkpoint("runs/last", client_state={"step": 7})
path, state = engine.load_checkpoint("runs/last")
print("resuming at step", state["step"] + 1)
