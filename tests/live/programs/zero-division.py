"""An average over an empty loader."""
# expect: zero-division
import sys

loader = [1.0, 2.0] if "--fixed" in sys.argv else []
total = sum(loader)
print(total / len(loader))
