"""A deviation with ddof=1 of a group that has a single sample."""
# expect: numpy-empty-reduction
# cause: one-sample-deviation
import sys

import numpy as np
import torch

groups = {"a": [1.0, 2.0, 4.0], "b": [3.0]}
weights = []
for name, values in groups.items():
    spread = np.std(values, ddof=0 if "--fixed" in sys.argv else 1)
    weights.append(1 / (spread + 1e-2))
    print(name, spread)
probabilities = torch.tensor(weights) / sum(weights)
print(torch.multinomial(probabilities, 1))
