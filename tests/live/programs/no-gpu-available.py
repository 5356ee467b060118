"""A checkpoint of a GPU is loaded on a machine without one."""

# expect: no-gpu-available
import sys
import tempfile

import torch

path = tempfile.mkdtemp() + "/gpu_model.pt"
# A file as a machine with a GPU writes it: its storages are tagged cuda:0.
torch.serialization.register_package(0, lambda storage: "cuda:0", lambda storage, location: None)
torch.save({"w": torch.zeros(3)}, path)
state = torch.load(path, map_location="cpu" if "--fixed" in sys.argv else None)
print(state["w"].device)
