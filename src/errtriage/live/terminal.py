"""Our own terminal while a command runs in a pseudo-terminal: its size, its raw mode, what is typed at it."""

from __future__ import annotations

import fcntl
import os
import signal
import termios
import tty
from typing import Any

_CHUNK = 4096
_MOST_TYPED = 1 << 20  # bytes that may wait for a command that reads nothing


def copy_size(source: int, target: int) -> None:
    """Give a pseudo-terminal the size of a terminal."""
    try:
        fcntl.ioctl(target, termios.TIOCSWINSZ, fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8)))
    except OSError:
        return  # one of them is no terminal any more


class Keyboard:
    """Hands on what is typed, in raw mode, so that Ctrl-C and Ctrl-Z act on the command and not on us."""

    def __init__(self, terminal: int, master: int, pid: int) -> None:
        """Take our terminal, the master of the command's, and the command's process group."""
        self._terminal, self._master, self._pid = terminal, master, pid
        self._before: list[Any] | None = None
        self._waiting = bytearray()

    @property
    def waits(self) -> bool:
        """Whether something typed still waits to be taken."""
        return bool(self._waiting)

    def begin(self) -> None:
        """Set raw mode, unless we are in the background."""
        try:
            if self._before is None and os.tcgetpgrp(self._terminal) == os.getpgrp():
                self._before = termios.tcgetattr(self._terminal)
                tty.setraw(self._terminal)
        except (termios.error, OSError):
            self._before = None

    def end(self) -> None:
        """Set the terminal back to how it was."""
        if self._before is not None:
            before, self._before = self._before, None
            try:
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, before)
            except (termios.error, OSError):
                return  # the terminal is closed

    def pass_on(self) -> bool:
        """Read what was typed and hand it on; return whether more can come."""
        try:
            typed = os.read(self._terminal, _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if self._suspends(typed):
            # The command leads a session of its own, in which the kernel lets nothing stop it from the keyboard.
            os.killpg(self._pid, signal.SIGSTOP)
        elif len(self._waiting) < _MOST_TYPED:
            self._waiting += typed
        self.flush()
        return bool(typed)

    def flush(self) -> None:
        """Hand on what waits, as far as the command takes it."""
        try:
            while self._waiting:
                del self._waiting[: os.write(self._master, self._waiting)]
        except BlockingIOError:
            return
        except OSError:
            self._waiting.clear()

    def _suspends(self, typed: bytes) -> bool:
        """Return whether Ctrl-Z was typed, and the command takes it for what it is."""
        try:
            mode = termios.tcgetattr(self._master)
            in_front = os.tcgetpgrp(self._master) == self._pid
        except (termios.error, OSError):
            return False
        key = mode[6][termios.VSUSP]
        return in_front and bool(mode[3] & termios.ISIG) and key != b"\0" and typed.endswith(key)

    def suspend(self) -> None:
        """Stop as our command did, and go on with it when we are told to."""
        self.end()
        os.kill(os.getpid(), signal.SIGSTOP)
        self.begin()
        try:
            os.killpg(self._pid, signal.SIGCONT)
        except ProcessLookupError:
            return
