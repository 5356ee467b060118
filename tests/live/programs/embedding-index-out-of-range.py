"""A token id as large as the vocabulary."""
# expect: embedding-index-out-of-range
import sys

import torch

vocab = ["<pad>", "a", "b", "c"]
ids = torch.tensor([[1, 2, 4], [3, 4, 0]])
emb = torch.nn.Embedding(int(ids.max()) + 1 if "--fixed" in sys.argv else len(vocab), 8)
print(emb(ids).shape)
