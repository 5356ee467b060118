"""Two equal columns can not be inverted."""
# expect: linalg-singular-matrix
import sys

import torch

a = torch.tensor([[1.0, 1.0], [2.0, 2.0]])
if "--fixed" in sys.argv:
    a = a + 1e-3 * torch.eye(2)
print(torch.linalg.inv(a).shape)
