"""A mask that was made before filtering."""
# expect: index-shape-mismatch
import sys

import torch

x = torch.randn(10, 3)
mask = x[:, 0] > -100
kept = x[:8]
if "--fixed" in sys.argv:
    mask = kept[:, 0] > -100
print(kept[mask].shape)
