"""The optimizer's state is of a smaller model."""

# expect: state-dict-mismatch
import sys

import torch

old = torch.nn.Linear(4, 2)
saved = torch.optim.AdamW(old.parameters()).state_dict()
new = (
    torch.nn.Sequential(torch.nn.Linear(4, 2))
    if "--fixed" in sys.argv
    else torch.nn.Sequential(old, torch.nn.Linear(2, 2))
)
optimizer = torch.optim.AdamW(new.parameters())
optimizer.load_state_dict(saved)
print("resumed")
