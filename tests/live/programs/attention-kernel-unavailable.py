"""Only flash attention is allowed, and the call gives it dropout, which it does not take on this device."""
# expect: attention-kernel-unavailable
# cause: mask-or-dropout-not-taken
# place: dropout_p=0.1
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

q = torch.randn(2, 4, 16, 8)
allowed = [SDPBackend.FLASH_ATTENTION, *([SDPBackend.MATH] if "--fixed" in sys.argv else [])]
with sdpa_kernel(allowed):
    out = scaled_dot_product_attention(q, q, q, dropout_p=0.1)
print(out.shape)
