"""The parent raises again what a child died of; the child's own fault is the answer."""
# expect: target-out-of-range
# cause: head-too-small
# place: cross_entropy(
# told: child-exception-reraised
import sys

import torch
import torch.multiprocessing as mp


def work(rank, classes):
    loss = torch.nn.functional.cross_entropy(torch.randn(4, classes), torch.tensor([0, 1, 2, 3]))
    print(f"worker {rank} {loss.item() > 0}", flush=True)


if __name__ == "__main__":
    mp.spawn(work, args=(4 if "--fixed" in sys.argv else 3,), nprocs=1)
    print("all done")
