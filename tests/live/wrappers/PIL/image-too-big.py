"""A scan of a whole slide has more pixels than PIL takes for harmless."""
# expect: image-corrupt
# cause: image-beyond-the-pixel-limit
import sys

import numpy as np
from PIL import Image

Image.fromarray(np.zeros((400, 400), dtype=np.uint8)).save("slide.png")
Image.MAX_IMAGE_PIXELS = None if "--fixed" in sys.argv else 50_000
print(np.asarray(Image.open("slide.png")).shape)
