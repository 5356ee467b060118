"""Who may ask the HTTP server how often: bearer tokens, and a bucket of requests for each caller."""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

_MOST_CALLERS = 10_000


def caller(header: str, tokens: Sequence[str]) -> str | None:
    """Return a name for the holder of a valid `Authorization: Bearer …`, None where the token is not valid.

    The name is a hash of the token. Every token is compared in full, so that the time taken tells nothing.
    """
    scheme, _, given = header.partition(" ")
    found = None
    for token in tokens:
        if hmac.compare_digest(given.strip().encode(), token.encode()) and scheme.lower() == "bearer":
            found = hashlib.sha256(token.encode()).hexdigest()[:16]
    return found


class Rate:
    """A bucket for each caller: `per_minute` requests come back each minute, and as many can come at once."""

    def __init__(self, per_minute: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the rate; 0 is no limit."""
        self._rate, self._clock = per_minute, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, name: str) -> float:
        """Take one request of a caller; return 0, or the seconds until it may ask again."""
        if self._rate <= 0:
            return 0.0
        now = self._clock()
        with self._lock:
            left, then = self._buckets.pop(name, (self._rate, now))
            left = min(self._rate, left + (now - then) * self._rate / 60)
            allowed = left >= 1
            self._buckets[name] = (left - 1 if allowed else left, now)
            if len(self._buckets) > _MOST_CALLERS:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) * 60 / self._rate
