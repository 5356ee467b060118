"""The head of the checkpoint has another number of classes."""
# expect: state-dict-mismatch
# cause: head-of-another-size
# place: new.load_state_dict(
import sys
import torch
old, new = torch.nn.Linear(4, 10), torch.nn.Linear(4, 3)
state = old.state_dict()
if "--fixed" in sys.argv:
    state = {k: v for k, v in state.items() if new.state_dict()[k].shape == v.shape}
print(new.load_state_dict(state, strict="--fixed" not in sys.argv))
