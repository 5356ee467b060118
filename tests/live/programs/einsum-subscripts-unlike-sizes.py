"""One letter stands for two sizes."""
# expect: einsum-subscripts-wrong
import sys

import torch

query, key = torch.randn(2, 5, 8), torch.randn(2, 6, 8)
equation = "bqd,bkd->bqk" if "--fixed" in sys.argv else "bqd,bqd->bq"
print(torch.einsum(equation, query, key).shape)
