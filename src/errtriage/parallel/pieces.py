"""What a job is cut into for its workers: whole files, and blocks of large ones."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from errtriage.sources import Source, from_file
from errtriage.sources.parts import BLOCK_BYTES, Part, can_be_parted
from errtriage.sources.unpacking import MAGIC_BYTES, packing
from errtriage.values import dataclass

PARTED_FROM = 2 * BLOCK_BYTES  # bytes of a file from which on it is read in parts
_PACKED = 10  # bytes of log in a byte of a packed one


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A file, or a block of it: the number of its source in the job, where it lies, and about how long it is.

    `block` is the number of the block, None of a whole file; `blocks` is how many the file has, `size` its bytes.
    """

    source: int
    path: str
    weight: int
    block: int | None = None
    blocks: int = 0
    size: int = 0

    def open(self) -> Source:
        """Return the piece as a source."""
        if self.block is None:
            return from_file(self.path)
        stops = frozenset(range(self.block + 1, self.blocks))
        return Part(self.path, block=self.block, stops=stops, size=self.size)


def pieces_of(job: Sequence[Source]) -> list[Piece]:
    """Return the pieces of a job in the order of its lines.

    There are none where a source is no file on disk (a pipe, bytes in memory): such can be read by this process alone.
    """
    pieces: list[Piece] = []
    for number, source in enumerate(job):
        size = _bytes_of_log(source)
        if size is None or source.path is None:
            return []
        if can_be_parted(source, PARTED_FROM):
            blocks = -(-size // BLOCK_BYTES)
            pieces += (
                Piece(source=number, path=source.path, weight=BLOCK_BYTES, block=block, blocks=blocks, size=size)
                for block in range(blocks)
            )
        else:
            pieces.append(Piece(source=number, path=source.path, weight=size))
    return pieces


def _bytes_of_log(source: Source) -> int | None:
    """Return about how many bytes of log a source holds, None where it is no regular file."""
    if source.path is None:
        return None
    try:
        found = os.stat(source.path)  # noqa: PTH116
        if not stat.S_ISREG(found.st_mode):  # a pipe that is opened twice loses what it holds
            return None
        with open(source.path, "rb", buffering=0) as file:  # noqa: PTH123
            return found.st_size * _PACKED if packing(file.read(MAGIC_BYTES)) else found.st_size
    except OSError:
        return 0
