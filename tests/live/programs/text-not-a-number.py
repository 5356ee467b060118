"""The header of a table is read as numbers."""
# expect: text-not-a-number
import io
import sys

lines = io.StringIO("loss,acc\n0.5,0.9\n").read().splitlines()
if "--fixed" in sys.argv:
    lines = lines[1:]
print([[float(c) for c in line.split(",")] for line in lines])
