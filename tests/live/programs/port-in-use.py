"""Another job on the machine listens on the port."""

# expect: port-in-use
import socket
import sys

from torch.distributed import TCPStore

other = socket.socket()  # a job that is still running on this machine
other.bind(("127.0.0.1", 0))
other.listen()
taken = other.getsockname()[1]
port = 0 if "--fixed" in sys.argv else taken  # 0: any free port
store = TCPStore("127.0.0.1", port, world_size=1, is_master=True)
print("store on port", store.port)
