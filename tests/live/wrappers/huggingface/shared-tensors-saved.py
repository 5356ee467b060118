"""Tied weights are written to a safetensors file, which holds no tensor twice."""
# expect: safetensors-error
# cause: shared-tensors
import sys
import tempfile

import torch
from safetensors.torch import save_file, save_model


class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(20, 8)
        self.head = torch.nn.Linear(8, 20, bias=False)
        self.head.weight = self.embed.weight


model = Tied()
with tempfile.TemporaryDirectory() as folder:
    if "--fixed" in sys.argv:
        save_model(model, folder + "/model.safetensors")
    else:
        save_file(model.state_dict(), folder + "/model.safetensors")
print("saved")
