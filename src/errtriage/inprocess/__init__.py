"""In the process itself: `install()` explains an uncaught exception, after its traceback, with the tensors at hand.

Nothing happens before a failure; the hooks that were there before run first, and nothing here ever raises.
"""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Any

_NOT_EXPLAINED = (KeyboardInterrupt, SystemExit, GeneratorExit)
_MOST_REPORTS = 5  # of one process, outside of a shell: a loop that fails a thousand times must not wait for us
_installed = False
_told: set[tuple[str, str, int]] = set()
_busy = threading.local()


def install() -> None:
    """Explain exceptions that nobody catches: of the program, its threads, its asyncio tasks, and of IPython cells.

    The original traceback is printed first, by whoever printed it before; the explanation follows on standard error.
    Calling it again does nothing. It never raises and costs nothing before a failure.
    """
    global _installed
    if _installed:
        return
    _installed = True
    try:
        _hook_program()
        _hook_threads()
        _hook_tasks()
        shell = _running_shell()
        if shell is not None:
            hook_shell(shell)
    except Exception:  # a program that is fine must not fail for our sake
        return


def explain(error: BaseException | None, traceback: TracebackType | None = None, *, again: bool = False) -> None:
    """Print the explanation of an exception on standard error; whatever goes wrong with that is kept quiet.

    What was explained before is not, unless `again`; and nothing is after five explanations.
    """
    if error is None or isinstance(error, _NOT_EXPLAINED) or getattr(_busy, "now", False):
        return
    _busy.now = True
    try:
        traceback = traceback if traceback is not None else error.__traceback__
        if not (_is_new(error, traceback) or again):
            return
        from errtriage.inprocess.report import told

        text = told(error, traceback)
        sys.stderr.write(text)
        sys.stderr.flush()
    except BaseException:  # the original traceback is out, and that is what counts
        return
    finally:
        _busy.now = False


def _is_new(error: BaseException, traceback: TracebackType | None) -> bool:
    """Return whether no exception of this type and place was explained yet, and not too many others were."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    place = (traceback.tb_frame.f_code.co_filename, traceback.tb_lineno) if traceback is not None else ("", 0)
    key = (type(error).__name__, *place)
    if key in _told or len(_told) >= _MOST_REPORTS:
        return False
    _told.add(key)
    return True


def _hook_program() -> None:
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        before(kind, error, traceback)
        explain(error, traceback)

    sys.excepthook = hook


def _hook_threads() -> None:
    before = threading.excepthook

    def hook(args: Any) -> None:
        before(args)
        explain(args.exc_value, args.exc_traceback)

    threading.excepthook = hook


def _hook_tasks() -> None:
    """See what asyncio logs of tasks whose exception nobody fetched, without taking part in the logging."""
    import logging

    def look(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.ERROR and record.exc_info and record.exc_info[1] is not None:
            _after_the_log(record.exc_info[1])
        return True

    logging.getLogger("asyncio").addFilter(look)


def _after_the_log(error: BaseException) -> None:
    """Explain once the record that is being logged has been printed, where a loop runs that can wait for that."""
    events = sys.modules.get("asyncio.events")
    try:
        events.get_running_loop().call_soon(explain, error)  # type: ignore[union-attr]
    except Exception:
        explain(error)


def _running_shell() -> Any:
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None


def hook_shell(shell: Any) -> None:
    """Explain what cells of an IPython shell raise; a handler that the person has set keeps its place before ours."""
    kinds, before = shell.custom_exceptions, shell.CustomTB

    def handler(shell: Any, kind: Any, error: Any, traceback: Any, tb_offset: int | None = None) -> Any:
        told = None
        if kinds and isinstance(error, kinds):
            told = before(kind, error, traceback, tb_offset=tb_offset)
        else:
            shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
        explain(error, traceback, again=True)
        return told

    shell.set_custom_exc((Exception,), handler)


def load_ipython_extension(shell: Any) -> None:
    """Be loaded by `%load_ext errtriage`."""
    try:
        hook_shell(shell)
    except Exception:
        return


def unload_ipython_extension(shell: Any) -> None:
    """Be unloaded by `%unload_ext errtriage`."""
    try:
        shell.set_custom_exc((), None)
    except Exception:
        return
