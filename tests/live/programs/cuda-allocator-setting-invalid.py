"""A setting of the allocator is given the word yes, where it wants True."""
# expect: cuda-allocator-setting-invalid
# cause: setting-misspelt
# place: _set_allocator_settings(setting)
import os
import sys

import torch

setting = os.environ.get("PYTORCH_ALLOC_CONF", f"expandable_segments:{'True' if '--fixed' in sys.argv else 'yes'}")
torch.cuda.memory._set_allocator_settings(setting)  # what a start of CUDA does with the variable
print("settings read")
