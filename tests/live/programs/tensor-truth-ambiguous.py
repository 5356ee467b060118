"""A condition on a whole tensor."""
# expect: tensor-truth-ambiguous
import sys

import torch

x = torch.randn(3)
if (x > -100).all() if "--fixed" in sys.argv else x > -100:
    print("ok")
