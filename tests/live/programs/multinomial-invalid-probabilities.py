"""Sampling from logits that are nan."""
# expect: multinomial-invalid-probabilities
import sys

import torch

logits = torch.tensor([[1.0, 2.0, float("inf")]])
if "--fixed" in sys.argv:
    logits = logits.clamp_max(50)
probs = torch.softmax(logits, -1)
print(torch.multinomial(probs, 1).shape)
