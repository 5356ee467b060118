"""The engine of the extra `fast`: hyperscan looks for all literals at once."""

from __future__ import annotations

from errtriage.scan.engines import DENSE, Dense, Found, SkeletonEngine
from errtriage.scan.hyperscan_database import BULK, LATEST, NUMBER, database, latest_literals
from errtriage.scan.segments import Place, segments_at
from errtriage.scan.wanted import NUMBER_LITERALS, Wanted

_MANY = 2048  # places in one window from which on skeletons are faster


class HyperscanEngine:
    """Finds what the literals stand in by vector instructions; dense windows are left to skeletons."""

    name = "hyperscan"

    def __init__(self, wanted: Wanted) -> None:
        """Take what to look for. Raises ImportError where hyperscan is missing or does not run on this machine."""
        self._database, self._halted = database(wanted)
        self._wanted = wanted
        self._skeletons = SkeletonEngine(wanted)
        self._was_dense = False
        self._latest = latest_literals(wanted)
        self._unsure = tuple(NUMBER_LITERALS & wanted.checks.keys())

    def find(self, data: bytes) -> Found:
        """Return the segments in the order of the window; where many places hold a literal, look as skeletons."""
        if self._was_dense:
            found = self._skeletons.find(data)
            self._was_dense = isinstance(found, Dense)
            return found
        places: list[Place] = []
        latest: list[Place] = []
        bulk = 0

        def hit(number: int, _start: int, end: int, _flags: int, _context: object) -> bool:
            nonlocal bulk
            if number >= LATEST:
                latest.append((data.rfind(self._latest[number - LATEST]), ()))
                return False
            bulk += number >= BULK
            places.append((end - 1, self._unsure if number == NUMBER else ()))
            return bulk >= DENSE or len(places) >= _MANY

        try:
            # A value at the very end has something behind it, too.
            self._database.scan(data if data.endswith((b"\n", b"\r")) else data + b"\n", match_event_handler=hit)
        except self._halted:
            self._was_dense = True  # dense windows come in rows
            return self._skeletons.find(data)
        if latest:
            places.append(max(latest))
        return segments_at(data, places, self._wanted) if places else []
