"""A scraper saved an error page under the name of a picture."""
# expect: image-corrupt
# cause: not-an-image
import pathlib
import sys

import numpy as np
from PIL import Image

folder = pathlib.Path("images")
folder.mkdir()
Image.fromarray(np.zeros((8, 8, 3), dtype=np.uint8)).save(folder / "0.jpg")
if "--fixed" not in sys.argv:
    (folder / "1.jpg").write_text("<!DOCTYPE html><html><title>404 Not Found</title></html>")
for path in sorted(folder.iterdir()):
    with open(path, "rb") as file:
        print(path.name, np.asarray(Image.open(file).convert("RGB")).shape)
