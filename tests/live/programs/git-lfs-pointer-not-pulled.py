"""The weights file is a Git LFS pointer."""

# expect: git-lfs-pointer-not-pulled
import sys
import tempfile

import torch

path = tempfile.mkdtemp() + "/pytorch_model.bin"
if "--fixed" in sys.argv:
    torch.save({"w": torch.zeros(3)}, path)
else:
    with open(path, "w") as f:
        f.write(
            "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32\nsize 134\n"
        )
print(torch.load(path)["w"])
