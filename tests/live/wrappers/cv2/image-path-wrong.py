"""The pictures lie in another folder: imread gives None, and the next call finds nothing in it."""
# expect: image-corrupt
# cause: file-path-wrong
import os
import sys

import cv2
import numpy as np

os.mkdir("images")
cv2.imwrite("images/0.png", np.zeros((16, 16, 3), dtype=np.uint8))
folder = "images" if "--fixed" in sys.argv else "imgs"
image = cv2.imread(f"{folder}/0.png")
print(cv2.resize(image, (8, 8)).shape)
