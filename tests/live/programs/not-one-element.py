"""item() of a loss that was not reduced."""
# expect: not-one-element
import sys

import torch

loss = torch.nn.MSELoss(reduction="none")(torch.randn(4), torch.randn(4))
value = loss.mean().item() if "--fixed" in sys.argv else loss.item()
print(type(value).__name__)
