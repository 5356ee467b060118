"""Only flash attention is allowed, and the values have another head size than the keys."""
# expect: attention-kernel-unavailable
# cause: shapes-do-not-fit-the-kernel
# place: (q, k, v)
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

q, k = torch.randn(2, 4, 16, 8), torch.randn(2, 4, 16, 8)
v = torch.randn(2, 4, 16, 8 if "--fixed" in sys.argv else 12)
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    out = scaled_dot_product_attention(q, k, v)
print(out.shape)
