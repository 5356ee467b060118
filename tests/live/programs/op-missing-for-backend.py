"""A sparse matrix meets an operation for dense ones."""
# expect: op-missing-for-backend
# cause: sparse-or-quantised-input
# place: softplus(x)
import sys

import torch

x = torch.eye(4).to_sparse()
if "--fixed" in sys.argv:
    x = x.to_dense()
print(torch.nn.functional.softplus(x).shape)
