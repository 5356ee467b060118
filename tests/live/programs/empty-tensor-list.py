"""A pattern finds no files, and the data set is empty."""

# expect: empty-tensor-list
import sys
import tempfile
from pathlib import Path

from torch.utils.data import DataLoader

folder = Path(tempfile.mkdtemp())
(folder / "a.jpg").write_bytes(b"x")
pattern = "*.jpg" if "--fixed" in sys.argv else "*.png"
images = sorted(folder.glob(pattern))
print(len(DataLoader(images, batch_size=2, shuffle=True)))
