"""At a terminal: folding, bars, keys, window sizes, suspension, and a terminal that is closed."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from processes import ERRTRIAGE, eventually

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
SPAM = "for n in range(500): print(f'a.cu:1: f: block: [{n // 256},0,0], thread: [{n % 256},0,0] Assertion `x < n` failed.')"  # noqa: E501


def spawn(*words: str, size: tuple[int, int] = (30, 91)):
    return pexpect.spawn(words[0], list(words[1:]), dimensions=size, timeout=30)


def run(code: str, *options: str):
    return spawn(*ERRTRIAGE, "run", *options, "--", sys.executable, "-c", code)


def pipe(code: str, *options: str):
    left = f"{sys.executable} -c '{code}' 2>&1"
    return spawn("bash", "-c", f"{left} | {' '.join(ERRTRIAGE)} {' '.join(options)}; echo status $?")


def ended(child) -> tuple[bytes, int | None]:
    out = child.read()
    child.wait()
    return out, child.exitstatus


def test_spam_counts_up_in_one_line() -> None:
    """On a terminal 500 assertions are two lines, the second of which counts."""
    out, _ = ended(pipe(SPAM.replace("'", '"')))
    assert out.count(b"Assertion `x < n` failed.") <= 6  # the line itself, and quotations in the report
    assert re.search(rb"\[errtriage: 499 more lines like the one above\]\r+\n", out)
    assert b"errtriage report: failed" in out
    assert b"status 1" in out


def test_raw_folds_nothing() -> None:
    """With --raw every line of the spam is on the screen."""
    out, _ = ended(pipe(SPAM.replace("'", '"'), "--raw"))
    assert out.count(b"Assertion `x < n` failed.\r\n") >= 500


def test_a_run_has_a_terminal_of_our_size() -> None:
    """The command sees a terminal with our rows and columns, and changes of the window."""
    code = (
        "import os, signal, sys, time; print(sys.stdout.isatty(), sys.stderr.isatty(), os.get_terminal_size());"
        "signal.signal(signal.SIGWINCH, lambda *_: print('now', os.get_terminal_size())); time.sleep(3)"
    )
    child = run(code)
    child.expect(r"True True os.terminal_size\(columns=91, lines=30\)")
    child.setwinsize(40, 123)
    child.expect(r"now os.terminal_size\(columns=123, lines=40\)")
    assert ended(child)[1] == 0


def test_what_is_typed_reaches_the_command() -> None:
    """Prompts (and so debuggers) work."""
    child = run("print('hello', input('name? '))")
    child.expect("name\\? ")
    child.sendline("bob")
    child.expect("hello bob")
    assert ended(child)[1] == 0


def test_ctrl_c_goes_to_the_command_alone() -> None:
    """Ctrl-C interrupts the command, which may go on; errtriage lives as long as it does."""
    code = (
        "import time\n"
        "for n in range(2):\n"
        "    try:\n"
        "        print('sleeping', flush=True); time.sleep(30)\n"
        "    except KeyboardInterrupt:\n"
        "        print('caught', n, flush=True)\n"
        "raise SystemExit(4)"
    )
    child = run(code)
    for n in range(2):
        child.expect("sleeping")
        time.sleep(0.1)
        child.sendintr()
        child.expect(f"caught {n}")
    out, status = ended(child)
    assert status == 4
    assert b"the command ended with exit code 4" in out


def test_the_terminal_is_as_before() -> None:
    """After a run the terminal echoes and edits lines again, also where the command was killed."""
    for code in ("pass", "import os; os.kill(os.getpid(), 9)"):
        words = " ".join([*ERRTRIAGE, "run", "--", sys.executable, "-c", f"'{code}'"])
        child = spawn("bash", "-c", f"stty -g | md5sum; {words} > /dev/null 2>&1; {words}; stty -g | md5sum")
        sums = re.findall(rb"([0-9a-f]{32})", ended(child)[0])
        assert len(sums) == 2
        assert sums[0] == sums[1]


def test_ctrl_z_suspends_and_resumes_both() -> None:
    """Ctrl-Z stops command and errtriage, and `fg` goes on with both."""
    code = "import time; print('ready', flush=True); [time.sleep(0.1) for _ in range(20)]; print('done')"
    child = spawn("bash", "--norc", "-i")
    child.sendline("PS1='$ '; " + " ".join([*ERRTRIAGE, "run", "--", sys.executable, "-c", f'"{code}"']))
    child.expect("\nready")
    child.sendcontrol("z")
    child.expect("Stopped")
    child.sendline("fg; echo status $?")
    child.expect("\ndone")
    child.expect("status 0")
    child.sendline("exit")
    child.close(force=True)


def hang_up(child: pexpect.spawn[bytes]) -> None:
    """Close the terminal; that what ran in it has not ended at once is what these tests are about."""
    with contextlib.suppress(pexpect.ExceptionPexpect):
        child.close(force=False)


def test_a_closed_terminal_does_not_end_a_run_that_ignores_it(tmp_path: Path) -> None:
    """When the terminal is closed, the output of a run under nohup is read on and kept: it is not hurt by us."""
    log, mark = tmp_path / "log", tmp_path / "mark"
    code = (
        "import signal, sys, time, pathlib; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        'print("ready", flush=True); time.sleep(1)\n'
        'for n in range(2000): print("line", n, flush=True)\n'
        f'pathlib.Path("{mark}").write_text("well")'
    )
    child = spawn("bash", "-c", f"{sys.executable} -c '{code}' | {' '.join(ERRTRIAGE)} --log {log}")
    child.expect("ready")
    hang_up(child)
    assert eventually(mark.exists)
    assert eventually(lambda: log.read_bytes().endswith(b"line 1999\n"))


def test_a_closed_terminal_hangs_up_the_command() -> None:
    """When the terminal of `errtriage run` is closed, its command gets SIGHUP, as it would without us."""
    child = run("import os, time; print('pid', os.getpid(), flush=True); time.sleep(60)")
    child.expect(r"pid (\d+)")
    pid = int(child.match[1])
    hang_up(child)
    assert eventually(lambda: not Path(f"/proc/{pid}").exists())


def test_ctrl_c_in_a_pipeline_reaches_the_run_and_the_report_comes() -> None:
    """One Ctrl-C at a pipeline: the program is interrupted, and its traceback is explained."""
    code = 'import time; print("ready", flush=True); time.sleep(60)'
    child = pipe(code)
    child.expect("ready")
    time.sleep(0.3)
    child.sendintr()
    out, _ = ended(child)
    assert b"keyboard-interrupt" in out


def test_a_dumb_terminal_gets_no_control_sequences() -> None:
    """With TERM=dumb the count is written once, at the end of the spam."""
    script = f"{sys.executable} -c '{SPAM.replace(chr(39), chr(34))}' | TERM=dumb {' '.join(ERRTRIAGE)}"
    out, _ = ended(spawn("bash", "-c", script))
    assert b"\x1b" not in out
    assert re.search(rb"\[errtriage: 499 more lines like the one above\]\r+\n", out)


def test_a_run_in_the_background_leaves_the_terminal_alone() -> None:
    """`errtriage run … &` at a terminal runs to its end without being stopped for touching it."""
    words = " ".join([*ERRTRIAGE, "run", "--", sys.executable, "-c", "'print(6 * 7)'"])
    out, _ = ended(spawn("bash", "-c", f"set -m; {words} & wait $!; echo status $?"))
    assert b"42" in out
    assert b"status 0" in out


def test_nohup_is_handed_down() -> None:
    """A signal that was ignored when we were started is ignored by the command, too."""
    code = "import signal; print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)"
    words = ["nohup", *ERRTRIAGE, "run", "--", sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=30, check=True)
    assert b"True" in done.stdout
