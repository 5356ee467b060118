"""Dates with slashes are read by a format with dashes."""
# expect: text-not-a-date
import sys
from datetime import datetime

form = "%Y/%m/%d" if "--fixed" in sys.argv else "%Y-%m-%d"
print(datetime.strptime("2024/01/31", form))
