"""An assertion about the batch size."""
# expect: assertion-failed
import sys

batch_size, gpus = (8, 4) if "--fixed" in sys.argv else (6, 4)
assert batch_size % gpus == 0, f"batch size {batch_size} must be divisible by {gpus} GPUs"
print("ok")
