"""A record of the data base holds no bytes, and is decoded nevertheless."""
# expect: image-corrupt
# cause: record-without-bytes
import sys

import cv2
import numpy as np

records = [cv2.imencode(".jpg", np.zeros((8, 8, 3), dtype=np.uint8))[1].tobytes(), b""]
for record in records:
    if not record and "--fixed" in sys.argv:
        continue
    print(cv2.imdecode(np.frombuffer(record, dtype=np.uint8), cv2.IMREAD_COLOR).shape)
