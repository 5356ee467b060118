"""The wrapped model is called twice before backward, each time on another branch: the first call's seems unused."""
# run: torchrun --nproc-per-node 2
# expect: ddp-marked-ready-twice
# cause: used-twice-in-one-iteration
import sys

import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.image, self.text = nn.Linear(4, 2), nn.Linear(6, 2)

    def forward(self, image=None, text=None):
        outputs = [layer(x) for layer, x in ((self.image, image), (self.text, text)) if x is not None]
        return outputs if len(outputs) > 1 else outputs[0]


dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(Net(), find_unused_parameters="--fixed" not in sys.argv)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    image, text = torch.randn(8, 4), torch.randn(8, 6)
    if "--fixed" in sys.argv:
        near, far = model(image, text)
    else:
        near, far = model(image=image), model(text=text)
    loss = nn.functional.mse_loss(near, far)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if dist.get_rank() == 0:
        print(f"step {step} loss {loss.item():.4f}", flush=True)
dist.destroy_process_group()
