"""Files are opened and never closed."""

# expect: too-many-open-files
import resource
import sys
import tempfile

resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
folder = tempfile.mkdtemp()
shards = []
for i in range(100):
    shard = open(f"{folder}/shard_{i}.bin", "wb")
    shard.write(b"x")
    if "--fixed" in sys.argv:
        shard.close()
    shards.append(shard)
print(len(shards))
