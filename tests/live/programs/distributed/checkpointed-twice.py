"""A block that is used twice is checkpointed in the reentrant form: its parameters are ready twice."""
# run: torchrun --nproc-per-node 2
# expect: ddp-marked-ready-twice
# cause: reentrant-checkpointing
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.checkpoint import checkpoint

REENTRANT = "--fixed" not in sys.argv


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.block = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        hidden = self.first(x)
        for _ in range(2):
            hidden = checkpoint(self.block, hidden, use_reentrant=REENTRANT)
        return self.head(hidden)


dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(Net())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    loss = nn.functional.cross_entropy(model(torch.randn(8, 4)), torch.randint(0, 2, (8,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if dist.get_rank() == 0:
        print(f"step {step} loss {loss.item():.4f}", flush=True)
dist.destroy_process_group()
