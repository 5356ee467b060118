"""How a process ended, in the words of shells, make, IDEs, containers, CI runners and notebooks."""

from __future__ import annotations

import re

from errtriage.exits import WORDS_ELSEWHERE, signal_name, signal_of
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, event

_WORD = (
    r"[Kk]illed|[Aa]borted|[Aa]bort trap|abort|[Tt]erminated|[Hh]angup|[Ss]egmentation fault|[Bb]us error|[Ii]llegal "
    r"(?:hardware )?instruction|[Ff]loating point exception|User defined signal [12]|user-defined signal [12]|"
    r"[Aa]larm clock|[Bb]roken pipe|[Tt]race(?:/breakpoint)? trap|(?:CPU|cpu) (?:time )?limit exceeded|"
    r"[Ff]ile size limit exceeded|[Bb]ad system call|Quit|quit|Interrupt|Stack fault"
)
_DUMPED = r"(?:: \d{1,2})?(?: ?\(core dumped\))?"
# zsh and macOS have words of their own for some signals.
_OTHER_WORDS = {
    "abort": "SIGABRT",
    "abort trap": "SIGABRT",
    "illegal hardware instruction": "SIGILL",
    "trace trap": "SIGTRAP",
    "cpu limit exceeded": "SIGXCPU",
    "user-defined signal 1": "SIGUSR1",
    "user-defined signal 2": "SIGUSR2",
}


def _signal(word: str | None) -> str | None:
    return _OTHER_WORDS.get((word or "").lower()) or signal_name(word)


def _make(line: Line, found: re.Match[str]) -> Event | None:
    """Make an event of an ending; an exit code of 0 is none. Groups are code, word and pid, perhaps with a number."""
    groups = {name.rstrip("0123456789"): value for name, value in found.groupdict().items() if value is not None}
    code, word = groups.get("code"), groups.get("word")
    if code is not None and int(code) == 0:
        return None
    message = line.text[found.start() :].strip()[:1000]
    fields = {"signal": _signal(word) or signal_of(code), "code": code, "pid": groups.get("pid"), "message": message}
    return event("process_exit", line, fields, text=message)


def _make_stopped(line: Line, found: re.Match[str]) -> Event:
    message = line.text[found.start() :].strip()[:1000]
    return event("process_exit", line, {"message": message}, text=message)


# The line that a shell prints in the foreground: the word alone. Words that also are plain English need the dump.
WORD_ALONE = LinePattern(
    kind="process_exit",
    literals=(
        "Killed", "Aborted", "Abort trap", "Terminated", "Hangup", "Broken pipe", "(core dumped)",
        "Alarm clock", "User defined signal", "time limit exceeded", "size limit exceeded",
    ),
    regex=(
        rf"(?:^\s{{0,40}}|(?<=[\]|])\s{{0,10}})(?:(?P<word>Killed|Aborted|Abort trap|Terminated|Hangup|Alarm clock|"
        rf"Broken pipe|CPU time limit exceeded|File size limit exceeded|User defined signal [12]){_DUMPED}|"
        rf"(?P<word2>Quit|Trace/breakpoint trap|Bad system call) \(core dumped\))\s*$"
    ),
    make=_make,
    examples=("Killed", "Aborted (core dumped)", "Terminated", "Abort trap: 6", "Quit (core dumped)", "Killed: 9"),
    ignore=("Killed 3 stale workers", "Aborted: user pressed q", "Process Terminated normally"),
)  # fmt: skip

WORD_ELSEWHERE = LinePattern(
    kind="process_exit",
    literals=tuple(WORDS_ELSEWHERE),
    regex=(
        r"(?:^\s{0,40}|^.{1,200}?: (?:line|行|第|Zeile|ligne) ?\d{1,6}(?: ?行)?[:：] *\d{1,8} |(?<=[\]|])\s{0,10})"
        rf"(?P<word>{'|'.join(WORDS_ELSEWHERE)})(?: ?[(（][^)）]{{1,40}}[)）])?(?:\s*$| {{2,40}}\S)"
    ),
    make=_make,
    examples=("已杀死", "段错误 (核心已转储)", "Speicherzugriffsfehler (Speicherabzug geschrieben)", "Getötet"),
    ignore=("进程已杀死三个", "Erreur de segmentation du texte", "Morto de fome"),
)

# bash (`script: line 12: 1234 Killed cmd`, `[1]+ Killed cmd`), zsh (`[1] 1234 killed cmd`, `zsh: killed cmd`), fish.
SHELL_JOB = LinePattern(
    kind="process_exit",
    literals=(
        ": line ", "loating point exception", "illed  ", "borted  ", "ault  ", "rror  ", "nstruction  ", "ception  ",
        "erminated  ", "angup  ", "ignal 1  ", "ignal 2  ", "(core dumped)", "zsh: ", "terminated by signal SIG",
    ),
    regex=(
        rf"^[^\n]{{0,200}}?: line \d{{1,6}}: +(?P<pid>\d{{1,8}}) (?P<word>{_WORD}){_DUMPED}(?:\s|$|(?<=exception)\S)|"
        rf"^\s{{0,20}}\[\d{{1,3}}\] ?[+-]? +(?:\d{{1,8}} )?(?P<word2>{_WORD}){_DUMPED} {{2,40}}\S|"
        rf"(?:^|(?<=[\]|])\s{{0,10}})zsh: (?P<word3>{_WORD}){_DUMPED} {{2,40}}\S|"
        rf"^fish: .{{0,200}}?terminated by signal (?P<word4>SIG[A-Z0-9]{{3,8}})"
    ),
    make=_make,
    examples=(
        "run.sh: line 12:  1234 Killed                  python train.py",
        "run.sh: line 1: 22075 Floating point exception./bucket --world 0",  # bash pads to 24 columns
        "[1]    4321 segmentation fault (core dumped)  python train.py",
        "[1]+  Killed                  python train.py",
        "zsh: killed     python train.py",
        "  0%|          | 0/3638 [00:00<?, ?it/s]zsh: bus error  python train.py",
        "fish: Job 1, 'python train.py' terminated by signal SIGSEGV (Address boundary error)",
    ),
    ignore=("error: line 12: unexpected token", "[1] 4321", "[1]+  Done                    python train.py"),
)  # fmt: skip

TOOLS = LinePattern(
    kind="process_exit",
    literals=(
        "exit code ", "exit code: ", "exit status: ", "exited with ",
        "terminated by signal ", "terminated with signal ", ": *** [", "exit status ",
        "non-zero status ", "AlgorithmError: ",
    ),
    regex=(
        r"Process finished with exit code (?P<code>-?\d{1,11})|Process completed with exit code (?P<code2>-?\d{1,11})|"
        r"Command terminated by signal (?P<word2>\d{1,2})|Command exited with non-zero status (?P<code3>\d{1,3})|"
        r"^(?:[\w.-]{1,80} {1,40})?exited with code (?P<code4>\d{1,3})(?: \(restarting\))?\s*$|"
        r"[Cc]hild process (?P<pid>\d{1,8}) terminated with signal (?P<word3>\d{1,2})|"
        r"make(?:\[\d\])?: \*\*\* \[[^\]]{1,200}\] (?:Error (?P<code5>\d{1,3})|(?P<word>[A-Z][a-z][a-z ]{2,25}))|"
        r"Job failed: (?:command terminated with )?exit (?:code|status) (?P<code6>\d{1,3})|"
        r"##\[error\]\w{1,20} exited with code '(?P<code7>-?\d{1,11})'|script returned exit code (?P<code8>\d{1,3})|"
        r"^Exited with code exit status (?P<code9>\d{1,3})|^The command \".{1,300}?\" exited with (?P<code10>\d{1,3})\."
        r"|AlgorithmError: (?:, )?[Ee]xit [Cc]ode: (?P<code11>\d{1,3})|"
        # what a job script says of a command that a signal or `timeout` ended
        r"^.{0,120}?\b(?:exited with|exit) (?:exit )?(?:code|status)[ :=]{1,3}(?P<code12>1(?:2[4-9]|[3-5]\d))\s*$"
    ),
    make=_make,
    examples=(
        "Process finished with exit code 137 (interrupted by signal 9:SIGKILL)",
        "Process finished with exit code -1073741819 (0xC0000005)",
        "Command terminated by signal 9",
        "trainer-1 exited with code 139",
        "make: *** [Makefile:12: train] Error 137",
        "##[error]Process completed with exit code 1.",
        "ERROR: Job failed: exit code 1",
        "Error for Training job demo-1: Failed. Reason: AlgorithmError: Exit Code: 139",
        "job step exited with status 124",
        "python train.py: exit status 132",
        "exit code: 143",
    ),
    ignore=(
        "Process finished with exit code 0",
        "trainer-1 exited with code 0",
        "the exit code is 1 on errors",
        "worker exited with code 0 after 3 steps",
        "a worker with exit code 130 is one that was interrupted",
    ),
)  # fmt: skip

STOPPED = LinePattern(
    kind="process_exit",
    literals=(
        "appears to have died", "Kernel crashed while executing", "crashed after using all available RAM",
        "Canceled future for execute_request", "operation was canceled", "received a shutdown signal",
        "lost communication with the server", "kernel restarted", "KernelRestarter: restarting kernel",
        "kernel has died",
    ),
    regex=(
        r"(?:The )?[Kk]ernel (?:for .{1,200}? )?appears to have died|The Kernel crashed while executing code|"
        r"Your session crashed after using all available RAM|Canceled future for execute_request message|"
        r"Error: The operation was canceled|runner.{0,60}? lost communication with the server|"
        r"The runner has received a shutdown signal|"
        r"KernelRestarter: restarting kernel \(\d+/\d+\)|[Kk]ernel has died"
    ),
    make=_make_stopped,
    examples=(
        "The kernel appears to have died. It will restart automatically.",
        "The Kernel crashed while executing code in the current cell or a previous cell.",
        "Error: The operation was canceled.",
    ),
    ignore=("kernel restarted by the user",),
)  # fmt: skip

PATTERNS = (WORD_ALONE, WORD_ELSEWHERE, SHELL_JOB, TOOLS, STOPPED)
