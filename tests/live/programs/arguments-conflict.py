"""A distribution is given no matrix."""
# expect: arguments-conflict
import sys

import torch

mean = torch.zeros(2)
matrix = {"covariance_matrix": torch.eye(2)} if "--fixed" in sys.argv else {}
print(torch.distributions.MultivariateNormal(mean, **matrix).sample().shape)
