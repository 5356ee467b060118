"""Files are opened and thrown away."""
# notes: resource-not-closed
import sys
import warnings
from pathlib import Path
from tempfile import mkdtemp

warnings.simplefilter("default")
path = Path(mkdtemp()) / "labels.txt"
path.write_text("0 1 2")
for epoch in range(2):
    if "--fixed" in sys.argv:
        with path.open() as file:
            labels = file.read()
    else:
        labels = open(path).read()
    print(f"epoch {epoch + 1}/2 labels {labels}")
