"""A size comes as text from the command line."""
# expect: argument-of-wrong-kind
import sys

import torch
from torch import nn

hidden = "16"
layer = nn.LSTM(8, int(hidden) if "--fixed" in sys.argv else hidden)
print(layer(torch.zeros(5, 1, 8))[0].shape)
