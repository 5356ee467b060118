"""The job was stopped while it wrote the file, and the file is empty."""
# expect: pickle-stream-empty
# cause: checkpoint-corrupt
# place: pickle.load(file)
import pickle
import sys
from pathlib import Path
from tempfile import mkdtemp

path = Path(mkdtemp()) / "cache.pkl"
path.write_bytes(pickle.dumps({"a": 1}) if "--fixed" in sys.argv else b"")
with path.open("rb") as file:
    print(pickle.load(file))
