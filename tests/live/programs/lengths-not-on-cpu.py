"""The lengths of sequences come from a collate function as a column."""
# cause: lengths-of-another-type
# place: pack_padded_sequence(x
import sys

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

x = torch.randn(3, 5, 2)
lengths = torch.tensor([[5], [3], [2]])
if "--fixed" in sys.argv:
    lengths = lengths.view(-1).to("cpu", torch.int64)
packed = pack_padded_sequence(x, lengths, batch_first=True)
out, _ = nn.GRU(2, 4, batch_first=True)(packed)
print(out.data.shape)
