"""A table was made by a job that wrote nothing."""
# expect: table-columns-uneven
# cause: file-cut-short
import io
import sys

import pandas

print(pandas.read_csv(io.StringIO("text,label\nfine,1\n" if "--fixed" in sys.argv else "")).label.sum())
