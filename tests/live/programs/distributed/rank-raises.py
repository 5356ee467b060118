# run: torchrun --nproc-per-node 3
# expect: target-out-of-range
import sys

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    labels = torch.randint(0, 3, (8,))
    if rank == 1 and step == 3 and "--fixed" not in sys.argv:
        labels[2] = 3  # one shard holds labels that count from 1
    loss = torch.nn.functional.cross_entropy(model(torch.randn(8, 4)), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if rank == 0:
        print(f"step {step} loss {loss.item():.4f}", flush=True)
dist.destroy_process_group()
