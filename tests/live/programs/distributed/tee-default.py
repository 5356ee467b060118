# run: torchrun --nproc-per-node 3 --tee 3
# expect: matmul-shape-mismatch
import sys

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
width = 5 if rank == 1 and "--fixed" not in sys.argv else 4
model = torch.nn.Linear(4, 2)
for step in range(2):
    print(f"step {step}", flush=True)
    out = model(torch.randn(8, width))
    dist.all_reduce(out.detach())
dist.destroy_process_group()
