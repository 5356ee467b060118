"""A column has another name."""
# expect: key-missing
import sys

row = {"label": 1, "text": "a"}
print(row["label" if "--fixed" in sys.argv else "labels"])
