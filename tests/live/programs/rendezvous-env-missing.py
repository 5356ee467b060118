"""The script is started without a launcher."""

# expect: rendezvous-env-missing
import os
import sys

import torch.distributed as dist

for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
    os.environ.pop(name, None)
if "--fixed" in sys.argv:
    os.environ.update(RANK="0", WORLD_SIZE="1", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
dist.init_process_group("gloo")
print(dist.get_world_size())
dist.destroy_process_group()
