"""gpu is no device of PyTorch."""
# expect: device-name-invalid
import sys

import torch

print(torch.device("cuda" if "--fixed" in sys.argv else "gpu").type)
