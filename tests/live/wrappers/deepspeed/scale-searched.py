"""A loop of one's own with DeepSpeed's loss scaler: the first steps overflow while it looks for its scale."""
# expect: nothing
# notes: gradient-overflow-skipped
import os

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29554", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
import deepspeed
import torch
from deepspeed.runtime.fp16.loss_scaler import DynamicLossScaler

deepspeed.init_distributed("gloo")
for handler in (deepspeed.utils.logger, *deepspeed.utils.logger.handlers):
    handler.setLevel("INFO")
torch.manual_seed(0)
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = DynamicLossScaler(2.0**24, 100, 1, 1, False, dtype=torch.half)
for step in range(24):
    loss = net(torch.randn(16, 4)).pow(2).mean()
    opt.zero_grad()
    (loss * scaler.loss_scale).backward()
    overflow = any(not torch.isfinite(p.grad.half()).all() for p in net.parameters())
    scaler.update_scale(overflow)
    if not overflow:
        for p in net.parameters():
            p.grad /= scaler.loss_scale
        opt.step()
    print(f"step {step} loss {loss.item():.4f}", flush=True)
