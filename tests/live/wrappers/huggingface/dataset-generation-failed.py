"""A file of the data set was cut in the middle of a line."""
# expect: json-decode-failed
# told: dataset-generation-failed
import pathlib
import sys
import tempfile

from datasets import load_dataset

folder = pathlib.Path(tempfile.mkdtemp())
rest = 'b": 2}\n' if "--fixed" in sys.argv else ""
(folder / "rows.jsonl").write_text('{"a": 1, "b": 2}\n{"a": 1, "' + rest)
print(load_dataset("json", data_files=str(folder / "rows.jsonl"), cache_dir=str(folder / "cache")))
