"""Time stamps of logs as seconds."""

from __future__ import annotations

from functools import lru_cache

from errtriage.lazy_regex import lazy
from errtriage.regex_store import compiled

_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_CLOCK = lazy(r"(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))? ?(Z|[+-]\d\d:?\d\d)?")


def seconds(stamp: str, year: int | None = None) -> float | None:
    """Return a time stamp as seconds since 1970 (UTC where it names no zone), or None where it is no date.

    A date without its year counts in `year`, else in 1970; a clock without a date counts from midnight; `123.456789`
    (seconds since boot) is taken as it is.
    """
    if stamp.replace(".", "", 1).isdecimal():
        return float(stamp)
    clock = _CLOCK.search(stamp)
    if clock is None:
        return None
    hours, minutes, rest, fraction, zone = clock.groups()
    value = int(hours) * 3600 + int(minutes) * 60 + int(rest) + (float(f"0.{fraction}") if fraction else 0.0)
    if zone and zone != "Z":
        shift = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
        value -= shift if zone[0] == "+" else -shift
    days = _days((stamp[: clock.start()] + stamp[clock.end() :]).strip(" T"), year)
    return None if days is None else days * 86400 + value


@lru_cache(maxsize=256)
def _days(text: str, year: int | None) -> int | None:
    """Return a date as days since 1970; 0 for an empty text."""
    if not text:
        return 0
    numbers = [int(number) for number in compiled(r"\d+").findall(text)]
    month = next((number for name, number in _MONTHS.items() if name in text), None)
    if month:
        day, given = numbers[0], numbers[1] if len(numbers) > 1 else None
    elif len(numbers) == 1 and len(text) in (3, 4):  # glog: month and day without a sign between
        month, day, given = numbers[0] // 100, numbers[0] % 100, None
    elif len(numbers) == 3 and numbers[0] > 31:
        given, month, day = numbers
    elif len(numbers) >= 2:
        month, day, given = numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else None
        if month > 12:
            month, day = day, month
    else:
        return None
    from datetime import date

    given = given if given is not None else year or 1970
    try:
        return date(given + 2000 if given < 100 else given, month, day).toordinal() - date(1970, 1, 1).toordinal()
    except ValueError:
        return None
