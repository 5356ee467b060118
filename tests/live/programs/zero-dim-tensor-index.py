"""loss.data[0] as in code for PyTorch 0.3."""
# expect: zero-dim-tensor-index
import sys

import torch

loss = torch.nn.MSELoss()(torch.randn(4, requires_grad=True), torch.randn(4))
running = loss.item() if "--fixed" in sys.argv else loss.data[0]
print("ok", type(running).__name__)
