"""CTC with batch and time swapped."""
# expect: ctc-lengths-invalid
import sys

import torch

logits = torch.randn(2, 50, 20, requires_grad=True)  # (N, T, C)
logp = logits.log_softmax(2)
if "--fixed" in sys.argv:
    logp = logp.permute(1, 0, 2)
targets = torch.randint(1, 20, (logp.shape[1], 10))
lengths = torch.full((logp.shape[1],), 50)
loss = torch.nn.CTCLoss()(logp, targets, lengths, torch.full((logp.shape[1],), 10))
loss.backward()
print("step done")
