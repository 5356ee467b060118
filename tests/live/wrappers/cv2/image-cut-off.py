"""A PNG was cut off: OpenCV reads nothing of it, and a conversion finds an empty image."""
# expect: image-corrupt
# cause: file-damaged
import os
import sys

import cv2
import numpy as np

cv2.imwrite("0.png", np.random.default_rng(0).integers(0, 255, (64, 64, 3), dtype=np.uint8))
if "--fixed" not in sys.argv:
    content = open("0.png", "rb").read()
    half = len(content) // 2
    open("0.png", "wb").write(content[:half] + bytes(20) + content[half + 20 :])
image = cv2.cvtColor(cv2.imread("0.png"), cv2.COLOR_BGR2RGB)
print(image.shape)
