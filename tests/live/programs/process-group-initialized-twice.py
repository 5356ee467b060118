"""The process group is set up by a helper and by the program."""
# expect: process-group-initialized-twice
# place: dist.init_process_group("gloo"
import sys
import tempfile

import torch
import torch.distributed as dist


def set_up():
    dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)


set_up()
if not ("--fixed" in sys.argv and dist.is_initialized()):
    set_up()
print(dist.get_world_size())
dist.destroy_process_group()
