"""A CPU build of torch is asked for CUDA; a CUDA build says that it finds no driver."""

# expect: torch-not-compiled-with-cuda no-gpu-available
import sys

import torch

device = "cpu" if "--fixed" in sys.argv else "cuda"
model = torch.nn.Linear(4, 2).to(device)
print(next(model.parameters()).device)
