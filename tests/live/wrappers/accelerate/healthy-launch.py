"""Two launched ranks train together to the end."""
# expect: nothing
# run: -m torch.distributed.run --nproc_per_node 2 --rdzv-backend c10d --rdzv-endpoint 127.0.0.1:0
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, TensorDataset

set_seed(1)
accelerator = Accelerator(cpu=True)
model = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
x = torch.randn(256, 4)
y = (x[:, 0] > 0).long()
model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True))
for epoch in range(5):
    for a, b in loader:
        loss = torch.nn.functional.cross_entropy(model(a), b)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    accelerator.print(f"epoch {epoch} loss {loss.item():.4f}")
accelerator.save_state("runs/last")
accelerator.end_training()
