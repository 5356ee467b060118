"""A Latin-1 text is read as UTF-8."""

# expect: encoding-error
import sys
import tempfile

path = tempfile.mkdtemp() + "/corpus.txt"
with open(path, "wb") as f:
    f.write("Bücher für alle\n".encode("latin-1"))
encoding = "latin-1" if "--fixed" in sys.argv else "utf-8"
with open(path, encoding=encoding) as f:
    print(f.read().strip() == "Bücher für alle")
