"""Two JSON files of one data set have unlike columns."""
# expect: dataset-files-differ
import json
import pathlib
import sys
import tempfile

from datasets import load_dataset

folder = pathlib.Path(tempfile.mkdtemp())
first = {"prompt": "why", "answer": "because"}
second = first if "--fixed" in sys.argv else {"prompt": "why", "response": "because"}
(folder / "a.jsonl").write_text(json.dumps(first) + "\n")
(folder / "b.jsonl").write_text(json.dumps(second) + "\n")
rows = load_dataset("json", data_files=[str(folder / "a.jsonl"), str(folder / "b.jsonl")], cache_dir=str(folder / "cache"))
print(rows)
