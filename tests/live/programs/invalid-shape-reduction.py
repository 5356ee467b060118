"""softmax over a dimension that is not there."""
# expect: invalid-shape-reduction
import sys

import torch

scores = torch.randn(1, 5).squeeze()
print(torch.softmax(scores, dim=-1 if "--fixed" in sys.argv else 1).shape)
