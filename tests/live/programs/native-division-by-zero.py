"""The smallest integer is divided by minus one, which the processor refuses as a division by zero."""
# expect: native-division-by-zero
# place: torch.div(
# machine: x86_64
import faulthandler
import sys

import torch

faulthandler.enable()
lowest = torch.full((4,), -(2**63))
divisor = torch.full((4,), 1 if "--fixed" in sys.argv else -1)
print(torch.div(lowest, divisor, rounding_mode="trunc"))
