"""The workers were switched off for debugging, and the options for them stayed."""
# expect: dataloader-options-invalid
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

workers = 0
loader = DataLoader(
    TensorDataset(torch.zeros(8, 2)),
    batch_size=4,
    num_workers=workers,
    persistent_workers=workers > 0 if "--fixed" in sys.argv else True,
)
print(len(list(loader)))
