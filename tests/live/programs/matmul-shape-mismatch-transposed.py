"""A weight of (out, in) is multiplied without its transpose."""
# expect: matmul-shape-mismatch
# cause: operand-not-transposed
# place: x @ (
import sys
import torch
x, w = torch.randn(8, 16), torch.randn(32, 16)
print((x @ (w.T if "--fixed" in sys.argv else w)).shape)
