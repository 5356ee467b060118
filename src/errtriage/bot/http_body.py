"""The logs in the body of an HTTP request, raw or as multipart upload, read piece by piece and never beyond a bound."""

from __future__ import annotations

import asyncio
from typing import Any

from errtriage.bot.extras import need
from errtriage.bot.received import Attachment
from errtriage.errors import TransportError

_MOST_FIELDS = 16
_SECONDS = 120.0  # until a body has come


class BodyError(TransportError):
    """A body that is not taken; `status` is the HTTP status that says why."""

    def __init__(self, status: int, text: str) -> None:
        """Take the status and a sentence."""
        super().__init__(text)
        self.status = status


async def logs_of(request: Any, *, most_bytes: int, most_logs: int) -> tuple[Attachment, ...]:
    """Return the logs of a starlette request as files of a message.

    Raises:
        BodyError: Too large (413), too slow (408), empty or broken (400).
    """
    told = request.headers.get("content-length", "")
    if told.isdigit() and int(told) > most_bytes:
        raise BodyError(413, f"the body is larger than {most_bytes} bytes")
    try:
        files = await asyncio.wait_for(_files(request, most_bytes, most_logs), _SECONDS)
    except asyncio.TimeoutError:
        raise BodyError(408, f"the body did not come within {_SECONDS:g} seconds") from None
    except need("starlette.requests", "http").ClientDisconnect as error:
        raise BodyError(400, "the body ended early") from error
    if not any(file.size for file in files):
        raise BodyError(400, "the body holds no log")
    return files


async def _files(request: Any, most_bytes: int, most_logs: int) -> tuple[Attachment, ...]:
    if request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        return await _uploads(request, most_bytes, most_logs)
    return (_file(request.query_params.get("name", "log"), await _raw(request, most_bytes)),)


async def _raw(request: Any, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise BodyError(413, f"the body is larger than {most} bytes")
        parts.append(part)
    return b"".join(parts)


async def _uploads(request: Any, most: int, most_logs: int) -> tuple[Attachment, ...]:
    requests, exceptions = need("starlette.requests", "http"), need("starlette.exceptions", "http")
    need("python_multipart", "http")
    counted = requests.Request(request.scope, _Counted(request.receive, most))
    try:
        form = await counted.form(max_files=most_logs, max_fields=_MOST_FIELDS, max_part_size=most)
    except BodyError:
        raise
    except exceptions.HTTPException as error:
        raise BodyError(400, str(error.detail)) from error
    except Exception as error:  # a body that ends early, a missing boundary: whatever the parser makes of it
        raise BodyError(400, "the multipart body is broken") from error
    try:
        return tuple([await _of_part(name, part) for name, part in form.multi_items()])
    finally:
        await form.close()


class _Counted:
    """The bytes of a body as they come, up to a bound."""

    def __init__(self, receive: Any, most: int) -> None:
        self._receive, self._left = receive, most

    async def __call__(self) -> Any:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise BodyError(413, "the body is too large")
        return message


async def _of_part(name: str, part: Any) -> Attachment:
    if isinstance(part, str):
        return _file(name, part.encode())
    return _file(part.filename or name, await part.read())


def _file(name: str, data: bytes) -> Attachment:
    return Attachment(name=name[:200] or "log", load=lambda: data, size=len(data))
