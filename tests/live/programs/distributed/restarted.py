# run: torchrun --nproc-per-node 2 --max-restarts 1
# expect: key-missing
import sys

import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
config = {"lr": 0.1, "epochs": 2} if "--fixed" in sys.argv else {"lr": 0.1}
if rank == 0:
    print("training for", config["epochs"], "epochs", flush=True)
dist.barrier()
dist.destroy_process_group()
