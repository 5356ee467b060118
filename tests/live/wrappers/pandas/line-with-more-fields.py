"""A line of a table holds a comma more."""
# expect: table-columns-uneven
# cause: separator-inside-a-cell
import io
import sys

import pandas

rows = "text,label\ngood film,1\n" + ('"bad, long film",0\n' if "--fixed" in sys.argv else "bad, long film,0\n") * 2
print(pandas.read_csv(io.StringIO(rows.replace("good film,1\n", "good film,1\nfine,1\n"))).label.sum())
