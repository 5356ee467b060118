"""The engine holds the model in bfloat16, the batch is float32."""
# expect: dtype-mismatch
import os
import sys

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29549", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch

model = torch.nn.Linear(4, 2)
config = {"train_batch_size": 2, "optimizer": {"type": "SGD", "params": {"lr": 0.1}}, "bf16": {"enabled": True}}
engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
x = torch.randn(2, 4)
if "--fixed" in sys.argv:
    x = x.bfloat16()
loss = engine(x).float().square().mean()
engine.backward(loss)
engine.step()
print("loss", loss.item())
