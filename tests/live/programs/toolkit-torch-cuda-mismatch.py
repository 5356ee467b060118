"""A kernel is compiled for GPUs that this toolkit no longer knows."""

# expect: toolkit-torch-cuda-mismatch
# cause: architecture-not-known
# needs: nvcc
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "scale.cu").write_text("__global__ void scale(float *x) { x[threadIdx.x] *= 2; }\n")
known = subprocess.run(["nvcc", "--list-gpu-arch"], capture_output=True, text=True, check=True).stdout.split()
chosen = known[0] if "--fixed" in sys.argv else "compute_20"
subprocess.run(["nvcc", "-ptx", f"-arch={chosen}", "scale.cu"], cwd=folder, check=True)
print("compiled")
