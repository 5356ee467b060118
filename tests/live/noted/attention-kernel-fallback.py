"""The warnings name why a kernel does not fit; the call that has no other kernel is the fault."""
# notes: attention-kernel-fallback
# expect: attention-kernel-unavailable
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

q = torch.randn(2, 4, 16, 8).to(torch.float32 if "--fixed" in sys.argv else torch.complex64)
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    out = scaled_dot_product_attention(q, q, q)
print("epoch 1/1 shape", tuple(out.shape))
