"""A column of predictions is shorter than the table, as the last batch was dropped."""
# expect: table-columns-uneven
# cause: column-of-another-length
import sys

import pandas

table = pandas.DataFrame({"text": ["a", "b", "c"]})
table["predicted"] = [1, 0, 1] if "--fixed" in sys.argv else [1, 0]
print(table.predicted.sum())
