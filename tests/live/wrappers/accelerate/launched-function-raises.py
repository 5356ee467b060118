"""A function that the notebook launcher started in two processes fails in both."""
# expect: name-not-defined
import sys

import torch
from accelerate import Accelerator, notebook_launcher


def train():
    accelerator = Accelerator(cpu=True)
    model = torch.nn.Linear(4, 2)
    if "--fixed" in sys.argv:
        learning_rate = 0.1
    optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate)
    model, optimizer = accelerator.prepare(model, optimizer)
    accelerator.print("ready")


if __name__ == "__main__":
    notebook_launcher(train, num_processes=2, use_port="29534")
