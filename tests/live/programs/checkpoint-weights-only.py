"""The checkpoint holds an argparse.Namespace."""

# expect: checkpoint-weights-only
import argparse
import sys
import tempfile

import torch

path = tempfile.mkdtemp() + "/last.pt"
model = torch.nn.Linear(2, 2)
torch.save({"model": model.state_dict(), "args": argparse.Namespace(lr=0.1)}, path)
state = torch.load(path, weights_only=False) if "--fixed" in sys.argv else torch.load(path)
model.load_state_dict(state["model"])
print("resumed")
