"""A node id of the whole graph in a graph of three nodes."""
# expect: gather-scatter-index-out-of-range
import sys

import torch

x = torch.randn(3, 4)
edge_index = torch.tensor([[0, 1, 7741], [1, 2, 0]])
if "--fixed" in sys.argv:
    edge_index = torch.unique(edge_index, return_inverse=True)[1].clamp_max(2)
row = edge_index[0]
out = torch.zeros(3, 4).scatter_add_(0, row.view(-1, 1).expand(-1, 4), x)
print(out.shape)
