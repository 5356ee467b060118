"""Lines that come again and again with other numbers: after the first thousands they are counted, not read."""

from __future__ import annotations

from errtriage.segments import Segment
from errtriage.values import dataclass
from errtriage.wanted import DIGITS

FIRST = 1_024  # lines of one skeleton that are read: more than most jobs have ranks
_MOST = 20_000  # skeletons that are remembered
_LONGEST = 2_000  # bytes of a skeleton that is remembered


@dataclass(slots=True)
class Counted:
    """Lines of one skeleton in one window that were counted: the first segment, and the start of the last one."""

    segment: Segment
    last: int
    count: int = 1


class Repeats:
    """Remembers the skeletons of picked lines that were read, and whether each was a line by itself."""

    def __init__(self) -> None:
        """Remember nothing."""
        self._read: dict[bytes, int] = {}
        self._counted: dict[bytes, Counted] = {}

    def count(self, line: bytes, segment: Segment) -> bytes | None:
        """Count a picked line where enough like it were read, and return None; else return its skeleton."""
        skeleton = line.translate(None, DIGITS)
        if self._read.get(skeleton, 0) < FIRST:
            return skeleton
        counted = self._counted.get(skeleton)
        if counted is None:
            self._counted[skeleton] = Counted(segment, segment[0])
        else:
            counted.last = segment[0]
            counted.count += 1
        return None

    def was_read(self, skeleton: bytes, *, alone: bool) -> None:
        """Remember that a line was read; one that others belong to is not `alone`, and is never counted unread."""
        read = self._read.get(skeleton)
        if read is None and (len(self._read) >= _MOST or len(skeleton) > _LONGEST):
            return
        self._read[skeleton] = (read or 0) + 1 if alone and (read is None or read >= 0) else -1

    def take(self) -> list[Counted]:
        """Return what was counted since the last call, in the order of the first lines."""
        taken, self._counted = list(self._counted.values()), {}
        return taken
