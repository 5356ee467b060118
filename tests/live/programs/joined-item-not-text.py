"""A line of a table is written of numbers and names."""
# cause: item-of-another-type
# place: print(
import sys

row = ["resnet", 18, 0.93]
if "--fixed" in sys.argv:
    row = [str(x) for x in row]
print(",".join(row))
