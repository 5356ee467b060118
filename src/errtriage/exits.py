"""What an exit status means: signals, exit codes of programs and of Windows, and the words that shells use for them."""

from __future__ import annotations

from errtriage.lazy_regex import lazy
from errtriage.values import dataclass

# number: (name, the word of bash and zsh, what it usually means for a training run); Linux x86-64 and arm64, signal(7).
_SIGNALS: dict[int, tuple[str, str, str]] = {
    1: ("SIGHUP", "Hangup", "the terminal or ssh session was closed"),
    2: ("SIGINT", "Interrupt", "somebody pressed Ctrl-C, or a launcher passed an interrupt on"),
    3: ("SIGQUIT", "Quit", "Ctrl-\\ or a supervisor asked for a core dump"),
    4: ("SIGILL", "Illegal instruction", "a binary was built for another processor (AVX or AVX-512 is missing)"),
    5: ("SIGTRAP", "Trace/breakpoint trap", "a debugger trap in native code"),
    6: ("SIGABRT", "Aborted", "native code called abort(): an uncaught C++ exception, a failed check, heap corruption"),
    7: ("SIGBUS", "Bus error", "/dev/shm is full, or a memory-mapped file was cut short"),
    8: ("SIGFPE", "Floating point exception", "native code divided an integer by zero"),
    9: ("SIGKILL", "Killed", "the kernel's OOM killer, a memory limit, a scheduler, or kill -9"),
    10: ("SIGUSR1", "User defined signal 1", "a scheduler's warning before preemption or the time limit"),
    11: ("SIGSEGV", "Segmentation fault", "native code touched memory that is not its own, or libraries do not fit"),
    12: ("SIGUSR2", "User defined signal 2", "a scheduler's warning"),
    13: ("SIGPIPE", "Broken pipe", "the reader of a pipe went away"),
    14: ("SIGALRM", "Alarm clock", "a timer ran out"),
    15: ("SIGTERM", "Terminated", "it was asked to stop: by its launcher after a peer failed, or by the scheduler"),
    16: ("SIGSTKFLT", "Stack fault", "not used by Linux itself"),
    24: ("SIGXCPU", "CPU time limit exceeded", "the limit on CPU time (ulimit -t or the queue's) was reached"),
    25: ("SIGXFSZ", "File size limit exceeded", "the limit on file size (ulimit -f) was reached"),
    31: ("SIGSYS", "Bad system call", "a system call was forbidden (seccomp)"),
}
# Exit codes without a signal: POSIX shells, CPython, coreutils, docker.
_CODES: dict[int, str] = {
    0: "it ended well",
    1: "an uncaught Python exception, sys.exit(1) or another error of the program",
    2: "wrong command-line arguments, or a file that Python can not open",
    120: "Python could not write out its standard output at exit",
    124: "the command `timeout` ran out",
    125: "`docker run` or `timeout` itself failed",
    126: "the command is not executable, or permission was denied",
    127: "the command was not found, or a shared library of it",
    128: "an invalid exit argument, or the container could not be started",
    255: "ssh or srun failed, or exit(-1)",
}
# Windows NTSTATUS values as unsigned 32-bit numbers.
_WINDOWS: dict[int, str] = {
    0xC0000005: "access violation: native code touched memory that is not its own",
    0xC0000017: "not enough memory or paging file",
    0xC000001D: "illegal instruction: a binary was built for another processor",
    0xC0000094: "integer division by zero in native code",
    0xC00000FD: "stack overflow",
    0xC0000135: "a DLL was not found",
    0xC0000139: "an entry point was not found in a DLL: libraries do not fit",
    0xC0000142: "a DLL could not start",
    0xC000013A: "Ctrl-C",
    0xC0000374: "heap corruption in native code",
    0xC0000409: "native code stopped itself (fail fast, or a stack buffer was overrun)",
}
_NUMBERS = {name: number for number, (name, _, _) in _SIGNALS.items()}
_WORDS = {word.lower(): name for name, word, _ in _SIGNALS.values()}
# What shells print for SIGKILL and SIGSEGV in other languages (strsignal of glibc's translations).
WORDS_ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(("已杀死", "已砍掉", "強制終了", "Getötet", "Processus arrêté", "Убито", "Morto"), "SIGKILL"),
    **dict.fromkeys(("段错误", "程式記憶體區段錯誤", "Speicherzugriffsfehler", "Erreur de segmentation"), "SIGSEGV"),
    **dict.fromkeys(("Violación de segmento", "Ошибка сегментирования", "Falha de segmentação"), "SIGSEGV"),
    **dict.fromkeys(("总线错误", "Bus-Zugriffsfehler", "Erreur du bus"), "SIGBUS"),
    **dict.fromkeys(("已放弃", "Abgebrochen", "アボートしました"), "SIGABRT"),
}
_STATUS = lazy(
    r"died with <Signals\.(?P<name>SIG[A-Z0-9]+)|terminated with signal (?P<signal>SIG[A-Z0-9]+|\d{1,3})|"
    r"killed by signal: (?P<word>[A-Z][A-Za-z -]{2,24}?)\. ?|got signal: (?P<number>\d{1,3})|"
    r"(?:exit(?:ed)?(?: with)?(?: non-zero)?|returned non-zero exit|return)[ _]?(?:code|status)?:?[ =]{1,3}"
    r"(?P<code>-?\d{1,11})",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exit:
    """How a process ended: `signal` (SIGKILL) where one ended it, and what that usually means."""

    code: int
    signal: str | None
    meaning: str


def read_exit(code: int) -> Exit:
    """Say what an exit code means: -9 (Python, torchrun), 137 (shells, containers) and Windows' numbers alike."""
    windows = _WINDOWS.get(code & 0xFFFFFFFF) if abs(code) > 255 else None
    if windows:
        return Exit(code=code, signal=None, meaning=windows)
    number = -code if code < 0 else code - 128 if code > 128 else 0
    if number in _SIGNALS:
        name, _, meaning = _SIGNALS[number]
        return Exit(code=code, signal=name, meaning=meaning)
    return Exit(code=code, signal=None, meaning=_CODES.get(code, "an exit code of the program's own"))


def signal_of(code: str | int | None) -> str | None:
    """Return the name of the signal behind an exit code (`-9` and `137`: SIGKILL), or None."""
    try:
        return read_exit(int(code)).signal if code is not None else None
    except ValueError:
        return None


def signal_name(text: str | None) -> str | None:
    """Return SIGKILL for any of its spellings: `9`, `SIGKILL`, `KILL`, `Signals.SIGKILL`, `Killed`, `killed`."""
    text = (text or "").strip().removeprefix("Signals.")
    if text.isdigit():
        return _SIGNALS.get(int(text), (None,))[0]
    upper = text.upper()
    if upper in _NUMBERS:
        return upper
    if f"SIG{upper}" in _NUMBERS:
        return f"SIG{upper}"
    return _WORDS.get(text.lower()) or WORDS_ELSEWHERE.get(text)


def signal_meaning(name: str) -> str:
    """Return what a signal usually means for a training run, "" for an unknown one."""
    number = _NUMBERS.get(name)
    return _SIGNALS[number][2] if number else ""


def exit_fields(message: str) -> dict[str, str]:
    """Return `exitcode` and `signal` of a message that tells how a process ended, e.g. of a CalledProcessError."""
    found = _STATUS.search(message[:8192])
    if not found:
        return {}
    told = next((found[k] for k in ("name", "signal", "word", "number") if found[k]), None)
    name = signal_name(told) if told else signal_of(found["code"])
    fields = {"exitcode": found["code"] or (str(-_NUMBERS[name]) if name else None), "signal": name}
    return {k: v for k, v in fields.items() if v is not None}
