"""A mask constant that does not fit into float16."""
# expect: fp16-overflow
import sys

import torch

scores = torch.randn(2, 4, 4).half()
mask = torch.ones(4, 4).triu(1).bool()
low = torch.finfo(scores.dtype).min if "--fixed" in sys.argv else -1e9
print(scores.masked_fill(mask, low).shape)
