"""A folder without checkpoints."""
# expect: index-list-out-of-range
import sys
from pathlib import Path

found = sorted(Path().glob("*.nothing"))
print(found[-1] if "--fixed" not in sys.argv else "no checkpoint yet")
