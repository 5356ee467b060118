"""The state is to be loaded from a folder that was never written."""
# expect: trainer-checkpoint-not-found
import sys

import torch
from accelerate import Accelerator

accelerator = Accelerator(cpu=True)
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer = accelerator.prepare(model, optimizer)
if "--fixed" in sys.argv:
    accelerator.save_state("runs/step_500")
accelerator.load_state("runs/step_500")
accelerator.print("resumed")
