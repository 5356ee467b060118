"""Where the next line of one of the channels stands that the reader waits for, in a source that many write to."""

from __future__ import annotations

from collections.abc import Collection

_MOST = 4_096  # channels whose prefixes are remembered
_AT_ONCE = 256  # channels that are waited for by their prefixes; beyond, every line is read


class Prefixes:
    """Remembers the bytes that the lines of each channel start with."""

    def __init__(self) -> None:
        """Know no channel."""
        self._known: dict[str, bytes | None] = {}  # None: they differ from line to line

    def learn(self, channel: str, raw: bytes, text: str) -> None:
        """Take a raw line of a channel and what was left of it."""
        known = self._known.get(channel, b"")
        if known is None or (known and raw.startswith(known)):
            return
        encoded = text.encode(errors="replace")
        prefix = raw[: len(raw) - len(encoded)] if raw.endswith(encoded) else b""
        if len(self._known) < _MOST:
            self._known[channel] = None if known or not prefix else prefix

    def one(self, channel: str) -> bytes | None:
        """Return the prefix of a channel; None where it is not known, or differs from line to line."""
        return self._known.get(channel)

    def of(self, channels: Collection[str]) -> list[bytes] | None:
        """Return the prefixes of channels; None where that of one is not known."""
        found = [self._known.get(channel) for channel in channels]
        return [prefix for prefix in found if prefix] if all(found) and len(found) <= _AT_ONCE else None


class Awaited:
    """Finds the lines of channels in a window; what was found is remembered while the places asked for ascend."""

    def __init__(self, data: bytes, prefixes: Prefixes) -> None:
        """Take the window's bytes and the prefixes known so far."""
        self._data = data
        self._prefixes = prefixes
        self._places: dict[bytes, int] = {}

    def next_line(self, hungry: bool | Collection[str], at: int) -> int | None:
        """Return where the next awaited line starts, the window's length where none does; None where all are."""
        if not hungry:
            return len(self._data)
        prefixes = None if isinstance(hungry, bool) or b"\r" in self._data else self._prefixes.of(hungry)
        if prefixes is None:
            return None
        return min(self._place(prefix, at) for prefix in prefixes)

    def _place(self, prefix: bytes, at: int) -> int:
        place = self._places.get(prefix, -1)
        if place < at:
            if self._data.startswith(prefix, at) and (at == 0 or self._data[at - 1] == 10):
                place = at
            else:
                place = self._data.find(b"\n" + prefix, max(0, at - 1)) + 1 or len(self._data)
            self._places[prefix] = place
        return place
