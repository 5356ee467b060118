"""The hidden state of an LSTM is kept between batches."""
# expect: backward-twice
import sys

import torch

lstm = torch.nn.LSTM(4, 8, batch_first=True)
head = torch.nn.Linear(8, 1)
hidden = None
for step in range(3):
    out, hidden = lstm(torch.randn(2, 5, 4), hidden)
    if "--fixed" in sys.argv:
        hidden = tuple(h.detach() for h in hidden)
    loss = head(out).mean()
    loss.backward()
    print(f"batch {step}")
