"""Servers on loopback for the tests of the bots: ours by the real uvicorn, and fakes that note what they were asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LOG = """epoch 1 step 40 loss 2.31
Traceback (most recent call last):
  File "/home/jo/train/train.py", line 57, in step
    loss = criterion(out, y)
  File "/opt/py/lib/python3.11/site-packages/torch/nn/functional.py", line 3104, in cross_entropy
    return torch._C._nn.cross_entropy_loss(input, target)
IndexError: Target 12 is out of bounds.
"""
OTHER_LOG = """Traceback (most recent call last):
  File "/home/jo/train/train.py", line 12, in <module>
    import torchvision
ModuleNotFoundError: No module named 'torchvision'
"""
HEALTHY_LOG = "".join(f"epoch 1 step {n} loss {2.3 - n / 100:.4f}\n" for n in range(100)) + "training finished\n"


@dataclass(frozen=True)
class Asked:
    """One request that a fake was asked."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, as JSON."""
        return json.loads(self.body)


@dataclass
class Answer:
    """What a fake answers."""

    body: bytes | dict[str, Any]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@contextmanager
def fake(answer: Callable[[Asked], Answer]) -> Iterator[tuple[str, list[Asked]]]:
    """Yield the address of a server that answers as a function says, and the list of what it was asked."""
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            request = Asked(self.command, self.path, dict(self.headers.items()), self.rfile.read(length))
            asked.append(request)
            told = answer(request)
            kind = "application/json" if isinstance(told.body, dict) else "application/octet-stream"
            body = json.dumps(told.body).encode() if isinstance(told.body, dict) else told.body
            self.send_response(told.status)
            for name, value in {"Content-Type": kind, **told.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(body)

        do_GET = do_POST = do_PATCH = handle_any  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Yield the address of an ASGI application behind the real uvicorn."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_for(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


def wait_for(come: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Return what a function returns as soon as that is true."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        value = come()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"did not come within {seconds} seconds")
