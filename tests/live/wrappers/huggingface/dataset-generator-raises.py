"""A generator of rows raises in the middle of the data."""
# expect: key-missing
# told: dataset-generation-failed
import sys
import tempfile

from datasets import Dataset

found = [{"text": "a"}, {"text": "b"} if "--fixed" in sys.argv else {"content": "b"}]


def rows():
    for row in found:
        yield {"text": row["text"].strip()}


print(Dataset.from_generator(rows, cache_dir=tempfile.mkdtemp()))
