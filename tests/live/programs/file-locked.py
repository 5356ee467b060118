"""Two writers share a database of results, and one does not let go of it."""

# expect: file-locked
import sqlite3
import sys
import tempfile

path = tempfile.mkdtemp() + "/results.db"
first = sqlite3.connect(path, isolation_level=None)
first.execute("create table results (run text, loss real)")
first.execute("begin immediate")
first.execute("insert into results values ('a', 0.5)")
if "--fixed" in sys.argv:
    first.execute("commit")
second = sqlite3.connect(path, timeout=0.2)
second.execute("insert into results values ('b', 0.4)")
second.commit()
print("recorded")
