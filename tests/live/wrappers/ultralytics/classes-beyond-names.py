"""The label files hold class numbers that count from one, the data file names two classes."""
# expect: yolo-labels-invalid
# cause: class-beyond-names
import pathlib
import sys

import numpy as np
from PIL import Image
from ultralytics import YOLO

here = pathlib.Path.cwd()
rng = np.random.default_rng(0)
for part in ("train", "val"):
    for kind in ("images", "labels"):
        (here / "shapes" / kind / part).mkdir(parents=True)
    for i in range(8):
        Image.fromarray(rng.integers(0, 255, (64, 64, 3), dtype=np.uint8)).save(here / f"shapes/images/{part}/{i}.png")
        first = 0 if "--fixed" in sys.argv else 2
        (here / f"shapes/labels/{part}/{i}.txt").write_text(f"{first + i % 2} 0.5 0.5 0.4 0.4\n")
(here / "shapes.yaml").write_text(f"path: {here}/shapes\ntrain: images/train\nval: images/val\nnames: [square, circle]\n")

model = YOLO("yolo11n.yaml")
model.train(data="shapes.yaml", epochs=1, imgsz=32, batch=4, workers=0, plots=False, device="cpu")
