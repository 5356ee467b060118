"""A WebP file of a dataset was cut off when the disk was full."""
# expect: image-corrupt
# cause: file-damaged
import os
import sys

import numpy as np
from PIL import Image

Image.fromarray(np.random.default_rng(0).integers(0, 255, (64, 64, 3), dtype=np.uint8)).save("photo.webp")
if "--fixed" not in sys.argv:
    os.truncate("photo.webp", os.path.getsize("photo.webp") // 2)
print(np.asarray(Image.open("photo.webp")).shape)
