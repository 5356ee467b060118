"""An asynchronous assertion of the program."""
# expect: kernel-assertion-of-the-user
import sys

import torch

x = torch.tensor([1.0, -1.0])
if "--fixed" in sys.argv:
    x = x.abs()
torch._assert_async((x > 0).all())
print("ok")
