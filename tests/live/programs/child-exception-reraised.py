"""A spawned child raises an error of its own program, which the parent raises again."""
# expect: unrecognised-exception
# place: raise FoldMissing
# told: child-exception-reraised
import sys

import torch.multiprocessing as mp


class FoldMissing(Exception):
    """No fold of this number was made."""


def work(rank, folds):
    if rank >= folds:
        raise FoldMissing(f"no fold for worker {rank}")
    print(f"worker {rank} done", flush=True)


if __name__ == "__main__":
    mp.spawn(work, args=(2 if "--fixed" in sys.argv else 1,), nprocs=2)
    print("all done")
