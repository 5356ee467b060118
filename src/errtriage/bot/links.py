"""Links to artifacts: which ones are on the list of allowed addresses, and their bytes, fetched without surprises."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from errtriage.errors import TransportError

_SECONDS = 30.0  # without a byte
_ALL_SECONDS = 120.0
_MOST_REDIRECTS = 5
_CHUNK = 1 << 20


def is_allowed(link: str, allowed: Sequence[str]) -> bool:
    """Return whether an address begins with an allowed one: same scheme and host, and a path below its path.

    An allowed address may begin its host with `*.` for all hosts below it. Addresses with a user, with `..` in their
    path or with signs that readers of addresses disagree on are never allowed.
    """
    try:
        asked = urlsplit(link)
        port = asked.port
    except ValueError:
        return False
    path = unquote(asked.path or "/")
    unclear = "\\" in link or any(ord(sign) <= 32 or ord(sign) == 127 for sign in link)
    if unclear or asked.username is not None or asked.password is not None or ".." in unquote(path).split("/"):
        return False
    for one in allowed:
        known = urlsplit(one)
        below = known.path.rstrip("/")
        if (
            asked.scheme == known.scheme
            and asked.scheme in ("http", "https")
            and port == known.port
            and _is_host(asked.hostname or "", known.hostname or "")
            and (path == below or path.startswith(f"{below}/"))
        ):
            return True
    return False


def check_allowed(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return addresses that links may stand below.

    Raises:
        TransportError: One is no address of http or https.
    """
    for one in addresses:
        known = urlsplit(one)
        if known.scheme not in ("http", "https") or not known.hostname:
            raise TransportError(f"{one}: an allowed address begins with https:// and a host")
    return tuple(addresses)


def _is_host(asked: str, known: str) -> bool:
    return asked == known or (known.startswith("*.") and asked.endswith(known[1:]))


class _Allowed(urllib.request.HTTPRedirectHandler):
    """Follows a redirect to an allowed address only, and hands no credentials on to another host."""

    max_redirections = _MOST_REDIRECTS

    def __init__(self, allowed: Sequence[str]) -> None:
        self._allowed = allowed

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        """Return the next request; raises where the address is not allowed."""
        if not is_allowed(newurl, self._allowed):
            raise TransportError("it leads to an address that is not on my list")
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        if following is not None and urlsplit(newurl).netloc != urlsplit(req.full_url).netloc:
            following.remove_header("Authorization")
        return following


def fetch(link: str, allowed: Sequence[str], most: int, headers: Mapping[str, str] | None = None) -> bytes:
    """Return the bytes behind a link.

    Args:
        link: An http or https address.
        allowed: The addresses that it and what it redirects to must stand below.
        most: How many bytes are taken.
        headers: Further headers, e.g. of authorization; they go to the host of the link alone.

    Raises:
        TransportError: It is not allowed, too large, or could not be fetched; the text ends a sentence.
    """
    if not is_allowed(link, allowed):
        raise TransportError("its address is not on my list")
    request = urllib.request.Request(link, headers={"User-Agent": "errtriage", **(headers or {})})
    opener = urllib.request.build_opener(_Allowed(allowed))
    try:
        with opener.open(request, timeout=_SECONDS) as answer:
            parts: list[bytes] = []
            left, ends = most, time.monotonic() + _ALL_SECONDS
            while left >= 0 and (part := answer.read1(min(_CHUNK, left + 1))):
                parts.append(part)
                left -= len(part)
                if time.monotonic() > ends:
                    raise TransportError("it came too slowly")
    except urllib.error.HTTPError as error:
        raise TransportError(f"the server answered {error.code}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise TransportError(str(reason) or type(error).__name__) from error
    if left < 0:
        raise TransportError("it is too large")
    return b"".join(parts)
