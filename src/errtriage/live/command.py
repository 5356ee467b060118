"""A command that we start: in a pseudo-terminal or on pipes, in a process group of its own, and what became of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from errtriage.errors import ErrtriageError
from errtriage.live.memory import Memory

STOPPED = "stopped"


class CannotStart(ErrtriageError):  # noqa: N818 (it reads as what happened)
    """The command could not be started; the exit status is the shell's: 127 not found, 126 not to be executed."""

    def __init__(self, command: str, error: OSError) -> None:
        """Take the command and why not."""
        super().__init__(f"{command}: {error.strerror}")
        self.exit_status = 127 if isinstance(error, FileNotFoundError) else 126


class Command:
    """A started command: `output` and `errors` are descriptors to read (`errors` is -1 where both come by one)."""

    def __init__(
        self, pid: int, output: int, errors: int, *, group: bool, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        """Take what `start` made; `process` where the system has no fork."""
        self.pid, self.output, self.errors = pid, output, errors
        self._process = process
        self.group = group
        self.started = time.monotonic()
        self.ended: float | None = None
        self.code: int | None = None
        self.signal: int | None = None
        self.memory = Memory(pid)

    def close(self) -> None:
        """Read its output no more."""
        for descriptor in (self.output, self.errors):
            if descriptor >= 0:
                os.close(descriptor)
        self.output = self.errors = -1

    def signalled(self, number: int) -> None:
        """Hand a signal on to the command and what it started."""
        if self.ended is not None:
            return
        if self._process is not None:
            self._process.terminate()
            return
        try:
            if self.group:
                os.killpg(self.pid, number)
            else:
                os.kill(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return

    def look(self, *, wait: bool = False) -> str | None:
        """Return STOPPED where a stop signal has stopped it; note where it has ended, and wait for that if asked."""
        if self.ended is not None:
            return None
        if self._process is not None:
            self.code = self._process.wait() if wait else self._process.poll()
            self.ended = time.monotonic() if self.code is not None else None
            return None
        options = (0 if wait else os.WNOHANG) | os.WUNTRACED
        try:
            pid, status, usage = os.wait4(self.pid, options)
        except ChildProcessError:  # somebody else has waited for it
            self.ended, self.code = time.monotonic(), 0
            return None
        if not pid:
            return None
        if os.WIFSTOPPED(status):
            return STOPPED
        self.ended = time.monotonic()
        code = os.waitstatus_to_exitcode(status)
        self.code, self.signal = (code, None) if code >= 0 else (None, -code)
        unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, getrusage(2)
        self.memory.add_largest(usage.ru_maxrss * unit)
        return None


def start(command: Sequence[str], extra: Mapping[str, str], *, separate: bool, own_group: bool) -> Command:
    """Start a command on pipes; `extra` is added to its environment.

    Args:
        command: The program and its arguments.
        extra: Variables that are added to its environment.
        separate: Whether its standard error comes by a pipe of its own.
        own_group: Whether it gets a process group of its own, so that every signal to it comes through us.

    Raises:
        CannotStart: There is no such program, or it may not be executed.

    """
    if not hasattr(os, "fork"):
        return start_process(command, extra)
    output, output_in = os.pipe()
    errors, errors_in = os.pipe() if separate else (-1, output_in)
    try:
        pid = _spawn(command, extra, (0, output_in, errors_in), own_group=own_group)
    finally:
        for descriptor in {output_in, errors_in}:
            os.close(descriptor)
    return Command(pid, output, errors, group=own_group)


def start_process(command: Sequence[str], extra: Mapping[str, str]) -> Command:
    """Start a command where the system has no fork: standard output and error come by one pipe. Raises as `start`."""
    environment = {**os.environ, **extra}
    try:
        process = subprocess.Popen(list(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    except OSError as error:
        raise CannotStart(command[0], error) from None
    output = os.dup(process.stdout.fileno()) if process.stdout is not None else -1
    return Command(process.pid, output, -1, group=False, process=process)


def start_on_terminal(command: Sequence[str], extra: Mapping[str, str], terminal: int, *, typed: bool) -> Command:
    """Start a command in a pseudo-terminal of the size of `terminal`.

    What we type goes to it where `typed`; else its standard input is ours. Raises as `start` does.
    """
    import pty

    from errtriage.live.terminal import copy_size

    master, slave = pty.openpty()
    copy_size(terminal, slave)
    try:
        pid = _spawn(command, extra, (slave if typed else 0, slave, slave), terminal=slave)
    finally:
        os.close(slave)
    os.set_blocking(master, False)
    return Command(pid, master, -1, group=True)


def _spawn(
    command: Sequence[str],
    extra: Mapping[str, str],
    standard: tuple[int, int, int],
    *,
    own_group: bool = False,
    terminal: int = -1,
) -> int:
    """Fork and execute; return the process id once the program has taken over."""
    told, tell = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            _become(command, {**os.environ, **extra}, standard, own_group=own_group, terminal=terminal)
        except OSError as error:
            os.write(tell, str(error.errno or 0).encode())
        finally:
            os._exit(127)
    os.close(tell)
    with os.fdopen(told, "rb") as file:
        trouble = file.read()
    if trouble:
        os.waitpid(pid, 0)
        number = int(trouble)
        raise CannotStart(command[0], OSError(number, os.strerror(number)))
    return pid


def _become(
    command: Sequence[str],
    environment: Mapping[str, str],
    standard: tuple[int, int, int],
    *,
    own_group: bool,
    terminal: int,
) -> None:
    if terminal >= 0:
        import fcntl
        import termios

        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    elif own_group:
        os.setpgid(0, 0)
    for number, descriptor in enumerate(standard):
        if number != descriptor:
            os.dup2(descriptor, number)
    signal.set_wakeup_fd(-1)
    for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores, and a program does not expect to find ignored
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execvpe(command[0], list(command), environment)
