"""A sparse matrix whose indices do not fit its shape."""
# expect: sparse-invariants-broken
import sys

import torch

indices = torch.tensor([[0, 1, 5], [1, 2, 0]])
n = int(indices.max()) + 1 if "--fixed" in sys.argv else 3
print(torch.sparse_coo_tensor(indices, torch.ones(3), (n, n), check_invariants=True).shape)
