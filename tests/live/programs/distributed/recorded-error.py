# run: torchrun --nproc-per-node 2
# expect: file-not-found
import sys

import torch.distributed as dist
from torch.distributed.elastic.multiprocessing.errors import record


@record
def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    path = __file__ if "--fixed" in sys.argv else f"/data/missing/shard-{rank}.json"
    with open(path) as file:
        print(f"rank {rank} read {len(file.read())} characters", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
