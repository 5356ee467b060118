"""Bytes of a log as UTF-8: files and streams in chunks, unpacked by their magic bytes, transcoded by their mark."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator

from errtriage import TYPE_CHECKING
from errtriage.errors import SourceError
from errtriage.values import dataclass

if TYPE_CHECKING:
    from typing import Any


CHUNK = 256 * 1024
MAGIC_BYTES = 6

# https://www.rfc-editor.org/rfc/rfc1952, bzip2 and xz file formats, https://www.rfc-editor.org/rfc/rfc8878
_MAGIC = ((b"\x1f\x8b\x08", "gzip"), (b"BZh", "bz2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"))


@dataclass(slots=True)
class Trouble:
    """What went wrong while a source was read, and how its text was encoded."""

    error: str | None = None
    truncated: bool = False
    encoding: str = "utf-8"


class ShrunkError(OSError):
    """A file became shorter while it was read."""


class _Rewound:
    """A binary stream whose first bytes were looked at."""

    def __init__(self, head: bytes, stream: Any) -> None:
        self._head = head
        self._read: Callable[[int], bytes | None] = getattr(stream, "read1", None) or stream.read

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, at most `size`."""
        if self._head:
            size = size if size >= 0 else len(self._head)
            taken, self._head = self._head[:size], self._head[size:]
            return taken
        return self._read(size if size >= 0 else CHUNK) or b""


def packing(head: bytes) -> str | None:
    """Return how the bytes are packed (gzip, bz2, xz, zstd), or None where they are not."""
    return next((name for magic, name in _MAGIC if head.startswith(magic)), None)


def is_plain_utf8(head: bytes) -> bool:
    """Return whether bytes that begin so are read as they stand: neither packed nor marked as of another encoding."""
    return packing(head) is None and _marked_encoding(head) is None and not head.startswith(codecs.BOM_UTF8)


def check_packing(head: bytes, name: str) -> None:
    """Raise SourceError where bytes that begin with `head` need a package that is not installed."""
    if packing(head) == "zstd":
        _zstd_reader(name)


def _zstd_reader(name: str) -> Callable[[Any], Any]:
    try:
        from compression.zstd import ZstdFile  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            import zstandard
        except ImportError:
            hint = "pip install 'errtriage[zstd]', or unpack it with `zstd -d` first"
            raise SourceError(f"{name}: packed with zstd, which needs an extra: {hint}") from None
        return lambda stream: zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
    return lambda stream: ZstdFile(stream)


def _unpacked(kind: str, stream: Any) -> Any:
    if kind == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=stream, mode="rb")
    if kind == "bz2":
        import bz2

        return bz2.BZ2File(stream, "rb")
    if kind == "xz":
        import lzma

        return lzma.LZMAFile(stream, "rb")
    return _zstd_reader("input")(stream)


def chunks(stream: Any) -> Iterator[bytes]:
    """Yield the bytes of an open binary stream, unpacked."""
    read: Callable[[int], bytes | None] = getattr(stream, "read1", None) or stream.read
    head = b""
    while len(head) < MAGIC_BYTES:
        got = read(CHUNK)
        if not got:
            break
        head += got
    kind = packing(head)
    if kind is None:
        if head:
            yield head
        while got := read(CHUNK):
            yield got
        return
    inner = _unpacked(kind, _Rewound(head, stream))
    take = getattr(inner, "read1", None) or inner.read
    while got := take(CHUNK):
        yield got


def file_chunks(path: str) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked, as far as it reached when it was opened."""
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123, one system call for each window
        size = os.fstat(file.fileno()).st_size
        packed = size > 0 and packing(file.read(MAGIC_BYTES)) is not None
        if size:
            file.seek(0)
        if packed or not size:
            yield from chunks(file)
            return
        left = size
        while left > 0:
            got = file.read(min(CHUNK, left))
            if not got:
                raise ShrunkError("the file became shorter while it was read")
            left -= len(got)
            yield got


def as_utf8(pieces: Iterator[bytes], trouble: Trouble) -> Iterator[bytes]:
    """Yield the pieces as UTF-8 without a byte order mark; what goes wrong ends them and is noted in `trouble`."""
    guarded = _guarded(pieces, trouble)
    head = b""
    for piece in guarded:
        head += piece
        if len(head) >= 4:
            break
    encoding = _marked_encoding(head)
    if encoding is None:
        if head.startswith(codecs.BOM_UTF8):
            trouble.encoding, head = "utf-8-sig", head[3:]
        if head:
            yield head
        yield from guarded
        return
    trouble.encoding = encoding
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    yield decoder.decode(head).lstrip("\ufeff").encode("utf-8", "backslashreplace")
    for piece in guarded:
        if text := decoder.decode(piece):
            yield text.encode("utf-8", "backslashreplace")
    if rest := decoder.decode(b"", True):
        yield rest.encode("utf-8", "backslashreplace")


def _marked_encoding(head: bytes) -> str | None:
    if head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if head.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if head.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    # Without a mark, a run of ASCII letters with a zero byte beside each is UTF-16 all the same.
    some = head[:4]
    if len(some) == 4 and some[1] == some[3] == 0 and some[0] and some[2]:
        return "utf-16-le"
    if len(some) == 4 and some[0] == some[2] == 0 and some[1] and some[3]:
        return "utf-16-be"
    return None


def _guarded(pieces: Iterator[bytes], trouble: Trouble) -> Iterator[bytes]:
    """Yield the pieces; an error that reading raises ends them and is noted."""
    try:
        yield from pieces
    except SourceError as error:
        trouble.error = str(error)
    except FileNotFoundError:
        trouble.error = "the file has vanished"
    except EOFError:
        trouble.error = "the packed file ends too early"
    except Exception as error:  # the unpackers raise many kinds (zlib.error, LZMAError, ZstdError, ValueError)
        trouble.error = f"could not be read to its end: {getattr(error, 'strerror', None) or error}"
    trouble.truncated = trouble.error is not None
