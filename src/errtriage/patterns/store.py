"""Lines of c10d's sockets and TCPStore: ports that are taken, hosts that can not be reached, peers that went away.

They are `collective` events; `phase` is connect (a socket that could not be made) or store (one that broke).
"""

from __future__ import annotations

from errtriage.patterns.base import LinePattern
from errtriage.patterns.collective import KIND, speaking

_PLACE = r"(?P<host>\[?[\w.:%-]{0,200}?\]?)"

# Texts of torch/csrc/distributed/c10d/socket.cpp, TCPStore.cpp and TCPStoreLibUvBackend.cpp, torch 1.11 to 2.13.
PATTERNS: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=("server socket has failed to", "socket has failed to bind"),
        regex=rf"The server socket has failed to (?P<reason>bind|listen)(?: to {_PLACE}:(?P<port>\d{{1,5}})|"
        r" on any.{0,60})",
        make=speaking("connect"),
        examples=(
            "[W socket.cpp:436] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address "
            "already in "
            "use).",
            "[E socket.cpp:472] [c10d] The server socket has failed to listen on any local network address.",
        ),
        ignore=("The server socket has started to listen on [::]:29500.",),
    ),
    LinePattern(
        kind=KIND,
        literals=("client socket has failed to connect", "client socket has timed out", "client socket cannot be"),
        regex=rf"The client socket (?:has failed to (?P<reason>connect) to (?:any network address of \()?"
        rf"|has (?P<slow>timed out) after .{{1,40}}? while trying to connect to \(|cannot be initialized to "
        r"connect to )"
        rf"{_PLACE}(?::|, )(?P<port>\d{{1,5}})",
        make=speaking("connect"),
        examples=(
            "[E415 21:17:10.110 socket.cpp:1023] [c10d] The client socket has failed to connect to any network "
            "address of "
            "(node-a, 29400).",
            "[W socket.cpp:601] [c10d] The client socket has failed to connect to [localhost]:29500 (errno: 111 - "
            "Connection "
            "refused).",
            "The client socket has timed out after 60000ms while trying to connect to (10.0.0.1, 29500).",
        ),
        ignore=("The client socket has connected to [localhost]:29500",),
    ),
    LinePattern(
        kind=KIND,
        literals=("ERROR failed to connect, willRetry", "connectFullMesh failed with"),
        regex=r"ERROR failed to connect, willRetry=(?P<retry>\d), .{0,80}?\brank=(?P<rank>\d{1,7}), .{0,160}?remote=\["
        r"(?P<peer>[\w.:-]{1,100})\]:(?P<port>\d{1,5})(?:.{0,40}?error=(?P<reason>[^\[]{1,80}?), remote)?|"
        r"(?<!Error: )Gloo connectFullMesh failed with",
        make=speaking("connect"),
        examples=(
            "[/__w/gloo/transport/tcp/debug_logger.cc:9] ERROR failed to connect, willRetry=0, retry=4, "
            "retryLimit=3, rank=1, "
            "size=2, local=[127.0.0.1]:14033, remote=[127.0.0.1]:943$1, error=SO_ERROR: Connection refused, "
            "remote=[127.0.0.1]",
        ),
        ignore=("RuntimeError: Gloo connectFullMesh failed with [x] timed out connecting",),
    ),
    LinePattern(
        kind=KIND,
        literals=("cannot be retrieved (gai error",),
        regex=r"The IPv[46] network addresses of \((?P<host>[^,)]{0,200}), (?P<port>\d{1,5})\) cannot be retrieved "
        r"\(gai error: -?\d{1,4} - (?P<reason>[^)]{1,100})\)",
        make=speaking("connect"),
        examples=(
            "The IPv6 network addresses of (node-x, 29500) cannot be retrieved (gai error: -2 - Name or service not "
            "known).",
        ),
        ignore=("addresses cannot be retrieved",),
    ),
    LinePattern(
        kind=KIND,
        literals=("failed on SocketImpl(", "wait timeout after ", "seconds waiting for clients", '"should dump" flag'),
        regex=r"(?P<reason>recvValue|recvVector|recvBytes|recvString|sendBytes|sendValue|sendVector) failed on "
        r"SocketImpl\(|"
        r"wait timeout after \d{1,12}ms, keys: |Timed out after \d{1,9} seconds waiting for clients|"
        r"[Ff]ailed to check the \"should dump\" flag on TCPStore",
        make=speaking("store"),
        examples=(
            "[W308 05:33:43.402981175 TCPStore.cpp:115] [c10d] recvVector failed on SocketImpl(fd=95, "
            "addr=[10.77.2.14]:55126, "
            "remote=[10.77.2.14]:34501): failed to recv, got 0 bytes",
            "Timed out after 601 seconds waiting for clients. 1/2 clients joined.",
        ),
        ignore=("wait timeout after lunch",),
    ),
)
