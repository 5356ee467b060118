"""One of two ranks that accelerate launches meets a broken sample."""
# expect: text-not-a-number
# run: -m torch.distributed.run --nproc_per_node 2 --rdzv-backend c10d --rdzv-endpoint 127.0.0.1:0
import sys

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, Dataset

FIELDS = ["0.1", "0.4", "n/a" if "--fixed" not in sys.argv else "0.3", "0.2"] * 2


class Rows(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return torch.tensor([float(FIELDS[i])]), torch.tensor(i % 2)


accelerator = Accelerator(cpu=True)
model = torch.nn.Linear(1, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(Rows(), batch_size=2))
for x, y in loader:
    loss = torch.nn.functional.cross_entropy(model(x), y)
    accelerator.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
accelerator.print("done")
