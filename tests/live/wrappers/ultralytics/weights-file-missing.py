"""The weights of an earlier run are given by a path that leads nowhere."""
# expect: file-not-found, trainer-checkpoint-not-found
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
        (here / f"shapes/labels/{part}/{i}.txt").write_text(f"{i % 2} 0.5 0.5 0.4 0.4\n")
(here / "shapes.yaml").write_text(f"path: {here}/shapes\ntrain: images/train\nval: images/val\nnames: [square, circle]\n")

model = YOLO("yolo11n.yaml" if "--fixed" in sys.argv else "runs/detect/train7/weights/best.pt")
model.train(data="shapes.yaml", epochs=1, imgsz=32, batch=4, workers=0, plots=False, device="cpu")
