"""A policy that is nan after its observation was."""
# expect: numpy-invalid-value, distribution-parameter-invalid
import sys

import numpy as np
import torch

cash, value = np.float64(0.0), np.float64(0.0)
eps = 1e-8 if "--fixed" in sys.argv else 0.0
share = cash / (value + eps)
obs = torch.tensor([share, 1.0, 2.0], dtype=torch.float32)
mean = torch.nn.Linear(3, 2)(obs)
action = torch.distributions.Normal(mean, 1.0).sample()
print(action.shape)
