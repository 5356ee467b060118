"""An Accelerator was made in an earlier cell, and then the notebook launcher is to start two processes."""
# expect: accelerate-not-initialized
# cause: notebook-cell-used-cuda
import sys

from accelerate import Accelerator, debug_launcher, notebook_launcher


def train():
    accelerator = Accelerator(cpu=True)
    accelerator.print("training on", accelerator.num_processes)


if __name__ == "__main__":
    if "--fixed" not in sys.argv:
        accelerator = Accelerator(cpu=True)
    notebook_launcher(train, num_processes=2, use_port="29533")
