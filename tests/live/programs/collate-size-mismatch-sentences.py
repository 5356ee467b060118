"""Sentences of unlike length are stacked to a batch."""
# expect: collate-size-mismatch
# cause: sequences-not-padded
# place: in DataLoader(
import sys
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
rows = [torch.arange(n) for n in (3, 5, 4, 2)]
collate = (lambda batch: pad_sequence(batch, batch_first=True)) if "--fixed" in sys.argv else None
for batch in DataLoader(rows, batch_size=2, collate_fn=collate):
    print(batch.shape)
