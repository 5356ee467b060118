"""Bytes in the midst of a PNG were changed by a copy in text mode."""
# expect: image-corrupt
# cause: file-damaged
import pathlib
import sys

import numpy as np
from PIL import Image

file = pathlib.Path("mask.png")
rng = np.random.default_rng(0)
Image.fromarray(rng.integers(0, 255, (64, 64), dtype=np.uint8)).save(file)
if "--fixed" not in sys.argv:
    content = file.read_bytes()
    file.write_bytes(content[:900] + content[900:].replace(b"\x0d", b""))
image = Image.open(file)
image.verify()
print(image.size)
