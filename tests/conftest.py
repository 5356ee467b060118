"""`pytest --bless` rewrites what the tool prints into the files that keep it; the diff is the review."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from pathlib import Path

import pytest

# What the tests read is English, whatever the person who runs them speaks.
os.environ["ERRTRIAGE_LANG"] = "en"
# Their made-up knowledge is compiled into a cache that the workers share, rather than into that of the person.
if sys.platform == "linux":
    os.environ["XDG_CACHE_HOME"] = str(Path(tempfile.gettempdir()) / f"errtriage-tests-{os.getuid()}")


# Programs that the tests interrupt must not inherit that SIGINT is ignored, as it is below `nohup` or a shell's `&`.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --bless."""
    parser.addoption("--bless", action="store_true", help="write what the tool prints now into README and golden files")


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    """Whether kept output is to be rewritten."""
    return bool(request.config.getoption("--bless"))
