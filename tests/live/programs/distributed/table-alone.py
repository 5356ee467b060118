"""A rank ends with exit code 1, and what it said went to its own file: the launcher's table is all that is left."""
# run: torchrun --nproc-per-node 2 --redirects 3
# expect: elastic-child-failed
import sys

import torch.distributed as dist

dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == 1 and "--fixed" not in sys.argv:
    raise ValueError("no class of this name")
dist.destroy_process_group()
