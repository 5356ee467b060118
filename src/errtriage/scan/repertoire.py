"""The blocks that are known: how they end, which of their digits tell something, and what they told when read."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from errtriage import TYPE_CHECKING
from errtriage.model import Event
from errtriage.scan.repeats import MOST_FOLLOWERS
from errtriage.scan.strands import Digits, Ids, Kind, Lines, Reading, Skeletons, Strand, Variant

if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object

READ = 16  # blocks of one skeleton that are read in full; as many frames tell the versions of a log's packages
READ_ALIKE = 3  # of those, the last ones, that tell the same in the channel itself
_MOST = 1_000  # variants of blocks that are remembered
_MOST_BYTES = 2 << 20  # of them
_MOST_SKELETONS = 8_000


class Judge(Protocol):
    """What is asked of who knows what events are good for."""

    def identity(self, events: Sequence[Event]) -> Hashable:
        """Return all that events add to what is known, beside their count; None where that is always something."""

    def tell_same(self, blocks: Iterable[Sequence[bytes]]) -> bool:
        """Return whether all of these blocks, each given by its raw lines, tell the same."""


class Repertoire:
    """Learns blocks that were read in full."""

    def __init__(self, judge: Judge, skeletons: Skeletons) -> None:
        """Take who judges blocks, and what numbers their lines."""
        self._judge = judge
        self._skeletons = skeletons
        self.heads: set[int] = set()  # the first lines of blocks that can be counted
        self._read: dict[Ids, int] = {}
        self._ended_by: dict[Ids, set[int]] = {}
        self._fixed: dict[Ids, tuple[slice, ...] | None] = {}  # digits that tell something; None: all may
        self._variants = self._bytes = 0

    @property
    def is_full(self) -> bool:
        """Whether it is time to forget."""
        return len(self._skeletons) > _MOST_SKELETONS or self._variants > _MOST or self._bytes > _MOST_BYTES

    def forget(self) -> None:
        """Forget all blocks; the strands forget them, too."""
        for known in (self.heads, self._read, self._ended_by, self._fixed, self._skeletons):
            known.clear()
        self._variants = self._bytes = 0

    def ends(self, ids: Ids, head: int) -> bool:
        """Return whether a block has ended where a line of this skeleton comes next."""
        return head in self._ended_by.get(ids, ())

    def known(self, strand: Strand, lines: Lines, at: int) -> tuple[Ids, Kind, Variant] | None:
        """Return the block that begins at a line of a window, if it is one that can be counted: the longest."""
        for length in strand.lengths.get(lines.ids[at], ()):
            ids = tuple(lines.ids[at : at + length])
            kind = strand.kinds.get(ids)
            if kind is None or len(ids) < length:
                continue
            raw = lines.raw(at, length)
            variant = kind.variants.get(kind.key(raw))
            if variant is None or variant.read < READ_ALIKE or self._read.get(ids, 0) < READ:
                continue
            if not strand.prefix or raw.count(b"\n" + strand.prefix) == length - 1:
                return ids, kind, variant
        return None

    def learn(self, strand: Strand, reading: Reading, events: Sequence[Event], head: int | None) -> None:
        """Take a block that has ended: by itself, by a line of the skeleton `head`, or by a long silence."""
        if reading.ends_itself and len(reading.ids) <= 1 + MOST_FOLLOWERS:
            return  # `Repeats` counts these
        ids = tuple(reading.ids)
        read = self._read[ids] = self._read.get(ids, 0) + 1
        if read <= READ - READ_ALIKE:
            return  # most blocks come once or twice
        if head is not None:
            self._ended_by.setdefault(ids, set()).add(head)
        variant = self._variant(strand, ids, reading)
        identity = self._judge.identity(events)
        if identity is None or (variant.read and identity != variant.identity):
            variant.read = 0
            return
        variant.read += 1
        variant.identity, variant.events, variant.numbers = identity, events, reading.numbers
        strand.expect(ids)
        self.heads.add(ids[0])

    def _variant(self, strand: Strand, ids: Ids, reading: Reading) -> Variant:
        """Return the variant of a block that was read."""
        kind = strand.kinds.get(ids)
        if kind is None:
            kind = strand.kinds[ids] = Kind(reading.ends_itself)
        whole = b"\n".join(reading.rows)
        if kind.variants and ids not in self._fixed and kind.key(whole) not in kind.variants:
            digits = Digits(reading.rows, strand.prefix)
            free = self._judge.tell_same([reading.rows, *digits.tries()])
            self._fixed[ids] = tuple(digits.fixed) if free else None
        fixed = self._fixed.get(ids)
        if fixed is not kind.fixed:
            kind.fixed = fixed
            kind.variants.clear()
        key = kind.key(whole)
        variant = kind.variants.get(key)
        if variant is None:
            variant = kind.variants[key] = Variant()
            self._variants += 1
            self._bytes += len(key) + 16 * len(ids)
        return variant
