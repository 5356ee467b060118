"""fp8 is asked for, and no package that does it is installed."""
# expect: precision-not-supported
import sys

from accelerate import Accelerator

accelerator = Accelerator(mixed_precision="no" if "--fixed" in sys.argv else "fp8")
print(accelerator.mixed_precision)
