"""A CUDA graph is made with a torch that was built for the CPU."""
# expect: torch-not-compiled-with-cuda
# build: cpu
# place: torch.cuda.CUDAGraph()
import sys

import torch

captured = torch.cuda.CUDAGraph() if torch.cuda.is_available() or "--fixed" not in sys.argv else None
print("graph", captured)
