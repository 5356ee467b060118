"""A one-cycle schedule stepped for another epoch."""
# expect: scheduler-steps-wrong
import sys

import torch

opt = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
epochs = 2 if "--fixed" in sys.argv else 1
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=10 * epochs)
for _ in range(19):
    opt.step()
    sched.step()
print("done")
