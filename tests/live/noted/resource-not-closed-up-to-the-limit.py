"""Files are opened for each sample and not closed, until there may be no more of them."""
# notes: resource-not-closed
# expect: too-many-open-files
import resource
import sys
import warnings
from pathlib import Path
from tempfile import mkdtemp

warnings.simplefilter("default")
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
path = Path(mkdtemp()) / "sample.txt"
path.write_text("0 1 2")
if "--fixed" not in sys.argv:
    labels = open(path).read()
samples = []
for number in range(100):
    file = open(path)
    samples.append(file)
    if "--fixed" in sys.argv:
        file.close()
print("epoch 1/1 samples", len(samples))
