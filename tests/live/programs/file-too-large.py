"""A log of samples grows beyond the limit on the size of files."""

# expect: file-too-large
import resource
import sys
import tempfile

if "--fixed" not in sys.argv:
    resource.setrlimit(resource.RLIMIT_FSIZE, (256 * 1024, 256 * 1024))
with open(tempfile.mkdtemp() + "/samples.jsonl", "w") as samples:
    for number in range(20_000):
        samples.write(f'{{"sample": {number}, "text": "a b c d e f"}}\n')
print("written")
