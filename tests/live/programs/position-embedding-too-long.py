"""A sequence longer than the table of positions."""
# expect: position-embedding-too-long
import sys

import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.word = nn.Embedding(100, 8)
        self.position_embeddings = nn.Parameter(torch.randn(1, 16, 8))

    def forward(self, ids):
        x = self.word(ids)
        return x + self.position_embeddings[:, : ids.shape[1]]


ids = torch.randint(0, 100, (2, 25))
if "--fixed" in sys.argv:
    ids = ids[:, :16]
print(Embeddings()(ids).shape)
