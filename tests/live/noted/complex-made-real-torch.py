"""The result of an inverse transform is cast to real numbers."""
# notes: complex-made-real
import sys

import torch

x = torch.randn(64)
back = torch.fft.ifft(torch.fft.fft(x))
back = back.real if "--fixed" in sys.argv else back.to(torch.float32)
print("epoch 1/1 close", torch.allclose(back, x, atol=1e-5))
