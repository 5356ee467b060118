"""The command line: a fast door for the hot commands, the typer app for the rest, and the one top error handler."""

from __future__ import annotations

import gc
import os
import sys

from errtriage import __version__
from errtriage.errors import ErrtriageError

_COMMANDS = frozenset({"explain", "run", "lint", "follow", "kb", "bot", "doctor"})


_PATIENT = 50_000  # objects made and not freed before the first collection: more than a small log needs


def main() -> None:
    """Run the command of `sys.argv` and exit with its status."""
    gc.set_threshold(_PATIENT)
    status = run(sys.argv[1:])
    gc.freeze()  # what is still there goes with the process: looking through it takes as long as `re` to import
    sys.exit(status)


def run(argv: list[str]) -> int:
    """Run a command and return its exit status; no traceback of ours ever reaches the person."""
    try:
        return _dispatch(argv)
    except ErrtriageError as error:
        for line in str(error).splitlines() or ["unknown error"]:
            sys.stderr.write(f"errtriage: {line}\n")
        return error.exit_status
    except BrokenPipeError:
        _silence_stdout()
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return _refused(error)
    except Exception as error:
        return _bug(error)


def _dispatch(argv: list[str]) -> int:
    if argv in (["--version"], ["-V"]):
        sys.stdout.write(f"errtriage {__version__}\n")
        return 0
    if not argv or argv[0] == "explain" or argv[0] not in _COMMANDS:
        from errtriage.cli.options import parse

        named = argv[:1] == ["explain"]
        parsed = parse(argv[1:] if named else argv)
        if parsed is not None and (named or parsed.paths):
            from errtriage.cli.explain import run as explain

            return explain(parsed)
        if parsed is not None and sys.stdin is not None and not sys.stdin.isatty():
            from errtriage.cli.pipe import run as pipe

            return pipe(parsed)
    from errtriage.cli.app import run_app

    return run_app(argv)


def _silence_stdout() -> None:
    """The reader went away: what is still buffered must not raise again when the interpreter ends."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


def _refused(error: OSError) -> int:
    """The disk that the report goes to can be full, as it often is where a run died of that."""
    import errno

    if error.errno not in (errno.ENOSPC, errno.EDQUOT):
        return _bug(error)
    sys.stderr.write(f"errtriage: {error.strerror}\n")
    _silence_stdout()
    return 2


def _bug(error: Exception) -> int:
    import platform
    import traceback

    frames = traceback.format_exception(type(error), error, error.__traceback__)
    sys.stderr.write(
        "errtriage: this is a bug in errtriage, not in your program. Please report what follows.\n"
        f"errtriage {__version__}, Python {platform.python_version()}, {platform.platform()}\n" + "".join(frames)
    )
    return 3
