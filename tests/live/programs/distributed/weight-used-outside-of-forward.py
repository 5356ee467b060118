# run: torchrun --nproc-per-node 2
# expect: zero3-weights-not-gathered
# cause: used-outside-of-forward
# told: ranks-stopped-by-launcher
import sys

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(3, 3)
        self.head = torch.nn.Linear(3, 2)

    def forward(self, ids):
        return self.head(self.words(ids))


dist.init_process_group("gloo")
model = FSDP(Net(), device_id=torch.device("cpu"), use_orig_params=True)
ids = torch.tensor([[0, 1, 2]])
print("step 1 loss", model(ids).pow(2).mean().item(), flush=True)
if "--fixed" in sys.argv:
    with FSDP.summon_full_params(model):
        prompt = torch.nn.functional.embedding(ids, model.words.weight)
else:
    prompt = torch.nn.functional.embedding(ids, model.words.weight)
print("prompt", tuple(prompt.shape), flush=True)
dist.destroy_process_group()
