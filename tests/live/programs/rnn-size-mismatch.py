"""A hidden state made for the full batch meets the last, smaller one."""
# expect: rnn-size-mismatch
import sys

import torch

lstm = torch.nn.LSTM(4, 8)
for x in torch.randn(5, 10, 4).split(4, dim=1):
    n = x.size(1) if "--fixed" in sys.argv else 4
    out, _ = lstm(x, (torch.zeros(1, n, 8), torch.zeros(1, n, 8)))
    print(out.shape)
