"""The state was saved from a compiled model."""
# expect: state-dict-mismatch
# cause: wrapper-prefix-in-keys
# place: .load_state_dict(state)
import sys
import torch
net = torch.nn.Linear(4, 2)
state = torch.compile(net, backend="eager").state_dict()
if "--fixed" in sys.argv:
    state = {k.removeprefix("_orig_mod."): v for k, v in state.items()}
torch.nn.Linear(4, 2).load_state_dict(state)
print("loaded")
