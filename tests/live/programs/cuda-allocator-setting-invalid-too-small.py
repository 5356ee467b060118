"""A setting of the allocator is given a number below the least one."""
# expect: cuda-allocator-setting-invalid
# cause: value-too-small
# place: _set_allocator_settings(setting)
import os
import sys

import torch

setting = os.environ.get("PYTORCH_ALLOC_CONF", f"max_split_size_mb:{128 if '--fixed' in sys.argv else 10}")
torch.cuda.memory._set_allocator_settings(setting)  # what a start of CUDA does with the variable
print("settings read")
