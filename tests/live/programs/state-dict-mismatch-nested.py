"""The whole checkpoint is given where its part with the weights is wanted."""
# expect: state-dict-mismatch
# cause: whole-checkpoint-given
# place: net.load_state_dict(
import sys
import torch
net = torch.nn.Linear(4, 2)
checkpoint = {"model": net.state_dict(), "epoch": 3}
net.load_state_dict(checkpoint["model"] if "--fixed" in sys.argv else checkpoint)
print("loaded")
