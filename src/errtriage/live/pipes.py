"""Descriptors: enlarged pipes, and writes that are complete."""

from __future__ import annotations

import errno
import os
import select
import sys
import time
from typing import Protocol

BIG = 1024 * 1024  # bytes that a pipe may hold; Linux allows it to every user (/proc/sys/fs/pipe-max-size)


def enlarge(descriptor: int) -> None:
    """Let a pipe hold more, where the system can do that: fewer and larger reads and writes."""
    if not sys.platform.startswith("linux"):
        return
    from fcntl import fcntl

    set_pipe_size = 1031  # F_SETPIPE_SZ of linux/fcntl.h, which Python names since 3.10 in `fcntl`
    try:
        fcntl(descriptor, set_pipe_size, BIG)
    except OSError:
        return  # not a pipe, or the user's share of pipe memory is used up


def fill_standard() -> None:
    """Open what is closed of standard output and error on nothing, so that no file of ours takes their places."""
    for descriptor in (1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            nothing = os.open(os.devnull, os.O_WRONLY)
            if nothing != descriptor:
                os.dup2(nothing, descriptor)
                os.close(nothing)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115 (it stays open)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of it, also where the descriptor takes a part at a time or is set not to block.

    Raises:
        BrokenPipeError: The other end of the pipe is closed.
        OSError: It can not be written for another reason.

    """
    try:
        written = os.write(descriptor, data)
        if written == len(data):
            return
    except BlockingIOError:
        written = 0
    except OSError as error:
        raise _told(error) from None
    rest = memoryview(data)[written:]
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            _wait_writable(descriptor)
        except OSError as error:
            raise _told(error) from None


def _wait_writable(descriptor: int) -> None:
    if sys.platform == "win32":  # where only sockets can be waited for
        time.sleep(0.005)
        return
    poll = poller()
    poll.register(descriptor, WRITE)
    poll.poll(None)


READ, WRITE = 1, 4  # POLLIN and POLLOUT


class Poller(Protocol):
    """The part of `select.poll` that is used."""

    def register(self, descriptor: int, mask: int) -> None:
        """Watch a descriptor for READ or WRITE."""

    def unregister(self, descriptor: int) -> None:
        """Watch it no more."""

    def poll(self, milliseconds: float | None) -> list[tuple[int, int]]:
        """Return the descriptors that are ready."""


def poller() -> Poller:
    """Return what waits for descriptors: `poll`, but on macOS, whose `poll` knows no terminals."""
    return select.poll() if sys.platform != "darwin" and hasattr(select, "poll") else Selector()


class Selector:
    """A poller by `select`."""

    def __init__(self) -> None:
        """Watch nothing yet."""
        self._masks: dict[int, int] = {}

    def register(self, descriptor: int, mask: int) -> None:
        """Watch a descriptor for READ or WRITE."""
        self._masks[descriptor] = mask

    def unregister(self, descriptor: int) -> None:
        """Watch it no more."""
        del self._masks[descriptor]

    def poll(self, milliseconds: float | None) -> list[tuple[int, int]]:
        """Return the descriptors that are ready."""
        reads, writes = ([one for one, mask in self._masks.items() if mask & kind] for kind in (READ, WRITE))
        reads, writes, _ = select.select(reads, writes, [], None if milliseconds is None else milliseconds / 1000)
        return [*((one, READ) for one in reads), *((one, WRITE) for one in writes)]


def _told(error: OSError) -> OSError:
    if sys.platform == "win32" and error.errno == errno.EINVAL:  # what Windows says of a pipe that nobody reads
        return BrokenPipeError(errno.EPIPE, "broken pipe")
    return error
