"""view after transpose."""
# expect: view-not-contiguous
import sys

import torch

x = torch.randn(2, 3, 4).transpose(1, 2)
print((x.reshape(2, -1) if "--fixed" in sys.argv else x.view(2, -1)).shape)
