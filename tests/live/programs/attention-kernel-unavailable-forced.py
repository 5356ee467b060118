"""Only the memory-efficient kernel is allowed, which there is on GPUs alone."""
# expect: attention-kernel-unavailable
# cause: backend-forced
# place: (q, q, q)
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

q = torch.randn(2, 4, 16, 8)
allowed = [SDPBackend.EFFICIENT_ATTENTION, *([SDPBackend.MATH] if "--fixed" in sys.argv else [])]
with sdpa_kernel(allowed):
    out = scaled_dot_product_attention(q, q, q)
print(out.shape)
