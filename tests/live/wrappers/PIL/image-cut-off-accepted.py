"""A few images were cut off, and the training can do with what is left of them."""
# expect: image-corrupt
# cause: file-damaged
import os
import sys

import numpy as np
from PIL import Image, ImageFile

ImageFile.LOAD_TRUNCATED_IMAGES = "--fixed" in sys.argv
rng = np.random.default_rng(0)
Image.fromarray(rng.integers(0, 255, (64, 64, 3), dtype=np.uint8)).save("0.jpg")
os.truncate("0.jpg", os.path.getsize("0.jpg") // 2)
print(np.asarray(Image.open("0.jpg").resize((32, 32))).mean())
