"""The auxiliary output of the model is left out of the loss."""
# run: torchrun --nproc-per-node 2
# expect: ddp-unused-parameters
# cause: output-not-in-the-loss
import sys

import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 2)
        self.auxiliary = nn.Linear(8, 2)

    def forward(self, x):
        hidden = self.body(x).relu()
        return self.head(hidden), self.auxiliary(hidden)


dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(Net())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    out, auxiliary = model(torch.randn(8, 4))
    loss = nn.functional.cross_entropy(out, torch.randint(0, 2, (8,)))
    if "--fixed" in sys.argv:
        loss = loss + 0 * auxiliary.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if dist.get_rank() == 0:
        print(f"step {step} loss {loss.item():.4f}", flush=True)
dist.destroy_process_group()
