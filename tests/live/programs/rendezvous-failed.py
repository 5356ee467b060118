"""Nobody listens where the ranks should meet."""

# expect: rendezvous-failed
import sys
from datetime import timedelta

from torch.distributed import TCPStore

if "--fixed" in sys.argv:
    host = TCPStore("127.0.0.1", 0, world_size=1, is_master=True)
    store = TCPStore("127.0.0.1", host.port, world_size=1, is_master=False)
else:
    store = TCPStore("127.0.0.1", 1, world_size=2, is_master=False, timeout=timedelta(seconds=2))
print("joined")
