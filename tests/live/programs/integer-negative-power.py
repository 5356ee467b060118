"""Frequencies of a positional encoding from integers."""
# expect: integer-negative-power
import sys

import torch

i = torch.arange(1, 5)
base = i.float() if "--fixed" in sys.argv else i
print((base**-2).shape)
