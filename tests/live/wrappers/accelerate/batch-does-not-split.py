"""With split_batches the batch of five has to be split over two processes."""
# expect: batch-not-divisible-by-ranks
# run: -m torch.distributed.run --nproc_per_node 2 --rdzv-backend c10d --rdzv-endpoint 127.0.0.1:0
import sys

import torch
from accelerate import Accelerator, DataLoaderConfiguration
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(cpu=True, dataloader_config=DataLoaderConfiguration(split_batches=True))
loader = DataLoader(TensorDataset(torch.randn(20, 4)), batch_size=4 if "--fixed" in sys.argv else 5)
loader = accelerator.prepare(loader)
for (x,) in loader:
    accelerator.print(x.shape)
