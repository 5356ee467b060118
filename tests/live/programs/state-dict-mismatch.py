"""The state was saved from a wrapped model."""
# expect: state-dict-mismatch
import sys

import torch

net = torch.nn.Linear(4, 2)
state = {f"module.{k}": v for k, v in net.state_dict().items()}
if "--fixed" in sys.argv:
    state = {k.removeprefix("module."): v for k, v in state.items()}
net.load_state_dict(state)
print("loaded")
