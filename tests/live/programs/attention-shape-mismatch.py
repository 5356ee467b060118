"""An embedding that the heads do not divide."""
# expect: attention-shape-mismatch
import sys

import torch

heads = 4 if "--fixed" in sys.argv else 5
layer = torch.nn.MultiheadAttention(64, heads)
print(layer.head_dim)
