"""The card of a report to any service that Apprise knows, in a process of its own that can fail, hang or print."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from errtriage.errors import TransportError

SECONDS = 60.0


def notify(urls: Sequence[str], title: str, lines: Sequence[str], *, seconds: float = SECONDS) -> None:
    """Send a card to addresses of services (github.com/caronc/apprise/wiki), which may hold secrets.

    Raises:
        TransportError: It could not be sent, in one line that holds no address.
    """
    request = json.dumps({"urls": list(urls), "title": _tame(title), "body": _tame("\n".join(lines))})
    try:
        done = subprocess.run(
            [sys.executable, "-m", "errtriage.bot.notify"],
            input=request.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            start_new_session=True,  # a Ctrl-C that ends the run must not end the news of it
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TransportError(f"not sent within {seconds:g} seconds") from None
    except OSError as error:
        raise TransportError(str(error)) from error
    if done.returncode:
        said = done.stdout.decode("utf-8", "replace").strip().splitlines()
        raise TransportError(said[-1] if said else f"it ended with {done.returncode}")


def _tame(text: str) -> str:
    """Return a text in which nothing calls people: a log can hold `@everyone` or `<!channel>`."""
    return text.replace("@", "@\N{ZERO WIDTH SPACE}").replace("<!", "<\N{ZERO WIDTH SPACE}!")


def main() -> int:
    """Send what standard input holds; the last line printed says what went wrong."""
    from errtriage.bot.extras import need

    request = json.load(sys.stdin)
    try:
        apprise = need("apprise", "notify")
    except TransportError as error:
        sys.stdout.write(f"{error}\n")
        return 2
    service = apprise.Apprise()
    unknown = [at for at, url in enumerate(request["urls"], 1) if not service.add(url)]
    sent = bool(len(service)) and service.notify(title=request["title"], body=request["body"], body_format="text")
    if unknown:
        sys.stdout.write(f"address {', '.join(map(str, unknown))} is none that Apprise knows\n")
    elif not sent:
        sys.stdout.write("a service did not take it\n")
    return 0 if sent and not unknown else 1


if __name__ == "__main__":
    sys.exit(main())
