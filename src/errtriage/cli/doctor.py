"""`errtriage doctor`: what is installed, which engine reads large logs, where the knowledge comes from."""

from __future__ import annotations

import os
import platform
import sys
from importlib.util import find_spec
from pathlib import Path

import typer

from errtriage import __version__

# Extra of pyproject.toml to the module that it brings.
EXTRAS = {
    "fast": "hyperscan",
    "zstd": "zstandard",
    "slack": "slack_bolt",
    "lark": "lark_oapi",
    "http": "starlette",
    "mcp": "mcp",
    "notify": "apprise",
}


def doctor() -> None:
    """Tell what errtriage finds on this machine; paste it into a bug report."""
    for name, value in findings():
        typer.echo(f"{name:<12} {value}")


def findings() -> list[tuple[str, str]]:
    """Return names and values: versions, engine, knowledge, extras, screen."""
    return [
        ("errtriage", f"{__version__} at {Path(__file__).parents[1]}"),
        ("python", f"{platform.python_version()} ({sys.executable})"),
        ("platform", platform.platform()),
        ("engine", _engine()),
        ("workers", _workers()),
        *_knowledge(),
        ("extras", ", ".join(f"{name} {'yes' if find_spec(module) else 'no'}" for name, module in EXTRAS.items())),
        ("screen", f"encoding {sys.stdout.encoding}, terminal {'yes' if sys.stdout.isatty() else 'no'}"),
    ]


def _engine() -> str:
    from errtriage.knowledge import load_knowledge
    from errtriage.scan.engines import FAST_FROM, engine
    from errtriage.triage import wanted

    looked_for = wanted(load_knowledge())
    small, large = engine(looked_for, 1).name, engine(looked_for, FAST_FROM).name
    forced = os.environ.get("ERRTRIAGE_ENGINE")
    told = small if small == large else f"{small}, and {large} from {FAST_FROM >> 20} MiB on"
    return f"{told} ({len(looked_for.all)} literals{f'; ERRTRIAGE_ENGINE={forced}' if forced else ''})"


def _workers() -> str:
    from errtriage import parallel, reading
    from errtriage.parallel import pieces

    forced = os.environ.get(reading.VARIABLE)
    why = (
        f"{reading.VARIABLE}={forced}"
        if forced
        else f"{parallel.cores()} cores, several logs from {parallel.WORTH >> 20} MiB on, one from "
        f"{pieces.PARTED_FROM >> 20} MiB on"
    )
    return f"up to {parallel.workers()} read side by side ({why})"


def _knowledge() -> list[tuple[str, str]]:
    from errtriage.knowledge import configured_folders, knowledge_dir, load_knowledge

    known = load_knowledge(configured_folders())
    folders = ", ".join(str(folder) for folder in (knowledge_dir(), *configured_folders()))
    rows = [("knowledge", f"{len(known.entries)} entries, digest {known.digest[:12]}, from {folders}")]
    return [*rows, *(("left out", problem) for problem in known.problems)]
