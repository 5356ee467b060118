"""JSON Lines are read as one document."""

# expect: json-decode-failed
import json
import sys
import tempfile

path = tempfile.mkdtemp() + "/train.jsonl"
with open(path, "w") as f:
    f.write('{"text": "one", "label": 0}\n{"text": "two", "label": 1}\n')
with open(path) as f:
    rows = [json.loads(line) for line in f] if "--fixed" in sys.argv else json.load(f)
print(len(rows), "rows")
