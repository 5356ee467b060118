"""A script that was written on a Mac asks for its device."""
# expect: torch-built-without
# cause: device-of-another-build
# place: .to(name)
import sys

import torch

name = "mps"
if "--fixed" in sys.argv and not torch.accelerator.is_available():
    name = "cpu"
print(torch.ones(2).to(name).sum().item())
