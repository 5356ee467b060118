"""The pipe, as a process: every byte goes through, the run is never hurt, and the report comes at the end."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errtriage.live.analyser import Forked
from errtriage.live.outlet import Outlet
from errtriage.live.pump import Pump
from errtriage.live.signal_policy import Signals
from processes import DIED, children, eventually, piped, started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes and signals")
REPORT = b"errtriage report: "


def count(pieces):
    return {"size": sum(map(len, pieces))}


def pumped(pieces: list[bytes]) -> tuple[bytes, int]:
    """Send pieces, one write each, through a pump between two pipes; return what came out and what was analysed."""
    source, source_in = os.pipe()
    out, out_in = os.pipe()
    came: list[bytes] = []

    def feed() -> None:
        for piece in pieces:
            os.write(source_in, piece)
        os.close(source_in)

    def collect() -> None:
        while data := os.read(out, 65536):
            came.append(data)

    analyser = Forked(count)
    threads = [threading.Thread(target=feed), threading.Thread(target=collect)]
    try:
        with Signals() as signals:
            for thread in threads:
                thread.start()
            Pump({source: Outlet(out_in)}, signals=signals, analyser=analyser).run()
        os.close(out_in)
        for thread in threads:
            thread.join()
        return b"".join(came), analyser.wait(30)["size"]
    finally:
        analyser.end()
        os.close(source)
        os.close(out)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=200) | st.integers(1, 300_000).map(lambda n: b"ab\r\n\0"[:n] * n)))
def test_what_goes_in_comes_out(pieces: list[bytes]) -> None:
    """Whatever is fed in whatever pieces: what comes out on a pipe is what went in, and as much was analysed."""
    text = b"".join(pieces)
    assert pumped(pieces) == (text, len(text))


def test_select_does_what_poll_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `poll` can not be used the pump passes the same bytes."""
    from errtriage.live import pipes, pump

    monkeypatch.setattr(pump, "poller", pipes.Selector)
    pieces = [b"x" * 300_000, b"\n", b"y" * 10]
    assert pumped(pieces) == (b"".join(pieces), 300_011)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no end",
        bytes(range(256)) * 2000,
        b"\r 10%|#\r 20%|##\n" * 1000,
        b"same\n" * 5000,
        b"a.cu:1: f: block: [0,0,0], thread: [1,0,0] Assertion `x` failed.\n" * 500,
        "größe 数\n".encode("utf-16"),
    ],
    ids=["nothing", "no-end", "binary", "bars", "repeats", "spam", "utf-16"],
)
def test_the_default_pipe_passes_every_byte_and_then_reports(data: bytes) -> None:
    """Standard output starts with standard input byte for byte, and a report follows on a line of its own."""
    done = piped(data)
    assert done.stdout.startswith(data)
    rest = done.stdout[len(data) :]
    assert rest.lstrip(b"\n").startswith(REPORT)
    assert rest.endswith(b"end of errtriage report\n")
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("data", "options", "status"),
    [
        (DIED, [], 1),
        (DIED, ["--exit-zero"], 0),
        (b"step 1/2 loss 0.5\nstep 2/2 loss 0.4\n", [], 0),
        (b"hello\n", [], 0),
        (DIED, ["--quiet"], 1),
        (DIED, ["--format", "json"], 1),
        (DIED, ["--no-such-option"], 2),
        (DIED, ["--format", "nonsense"], 2),
        (DIED, ["--knowledge", "/nowhere/at/all"], 2),
        (DIED, ["--log", "/nowhere/at/all/x.log"], 2),
    ],
)
def test_the_exit_status_says_whether_the_run_died(data: bytes, options: list[str], status: int) -> None:
    """It is 1 where the run died, unless --exit-zero; 2 where the command line is at fault; else 0."""
    assert piped(data, *options).returncode == status


def test_quiet_prints_the_report_alone() -> None:
    """With --quiet nothing is passed through; with --format json nothing but one JSON object is printed."""
    assert piped(DIED, "--quiet").stdout.startswith(REPORT)
    assert json.loads(piped(DIED, "--format=json").stdout)["explanations"][0]["id"] == "target-out-of-range"


def test_collapse_folds_where_nobody_watches() -> None:
    """With --collapse the spam becomes one line in a file, too; with --raw it does not."""
    spam = b"a.cu:1: f: block: [0,0,0], thread: [%d,0,0] Assertion `x` failed.\n"
    data = b"".join(spam % n for n in range(64))
    folded = piped(data, "--collapse").stdout
    assert folded.startswith(spam % 0 + b"[errtriage: 63 more lines like the one above]\n")
    assert piped(data, "--collapse", "--raw").stdout.startswith(data)


@pytest.mark.parametrize(
    ("name", "unpack"),
    [
        ("a.log", bytes),
        ("a.log.gz", gzip.decompress),
        ("a.log.xz", lzma.decompress),
        ("a.log.bz2", bz2.decompress),
    ],
)
def test_log_keeps_the_raw_stream(tmp_path: Path, name: str, unpack) -> None:
    """--log writes what came in, packed where the name says so, whatever else is asked for."""
    data = b"same\n" * 1000 + DIED
    piped(data, "--quiet", "--collapse", "--log", str(tmp_path / name))
    assert unpack((tmp_path / name).read_bytes()) == data


def test_a_packed_log_is_whole_up_to_a_few_seconds_ago(tmp_path: Path) -> None:
    """A packed log is written in members that are complete by themselves, so that a killed job loses little of it."""
    from errtriage.live import log_file

    log = log_file.LogFile(str(tmp_path / "a.gz"))
    log.write(b"one\n")
    log._since -= log_file.MEMBER_SECONDS
    log.tick()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"one\n"
    log.write(b"two\n")
    log.close()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"one\ntwo\n"


def test_the_log_is_opened_before_anything_is_read(tmp_path: Path) -> None:
    """A log that can not be opened ends errtriage at once, with one line, while the run has hardly begun."""
    process = started("--log", str(tmp_path / "no" / "a.log"))
    assert process.wait(timeout=20) == 2
    assert process.stderr is not None
    assert process.stderr.read() == f"errtriage: {tmp_path}/no/a.log: No such file or directory\n".encode()


def test_a_line_and_a_state_of_a_bar_come_at_once() -> None:
    """What is written is readable at the other end before anything more is written, line end or not."""
    process = started()
    assert process.stdin is not None
    assert process.stdout is not None
    for piece in (b"line\n", b"\r 10%|#  |", b"\r 20%|## |", b"prompt> "):
        process.stdin.write(piece)
        process.stdin.flush()
        assert os.read(process.stdout.fileno(), 100) == piece
    process.stdin.close()
    assert process.stdout.read().lstrip(b"\n").startswith(REPORT)
    assert process.wait(timeout=20) == 0


def test_ten_million_lines_pass() -> None:
    """Many short lines are passed on and counted exactly."""
    lines = 10_000_000
    shell = f"yes | head -n {lines} | {sys.executable} -m errtriage | tail -n 4"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=300, check=True)
    assert f"(<stdin>, {lines:,} lines)".encode() in done.stdout


def test_ctrl_c_once_reads_on_and_reports() -> None:
    """After one SIGINT the rest of the stream is still passed on, and the report still comes."""
    process = started()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"step 1\n")
    process.stdin.flush()
    assert os.read(process.stdout.fileno(), 100) == b"step 1\n"
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.2)
    out, err = process.communicate(b"saved a checkpoint\n" + DIED, timeout=30)
    assert out.startswith(b"saved a checkpoint\n" + DIED)
    assert b"target-out-of-range" in out
    assert (process.returncode, err) == (1, b"")


def test_ctrl_c_twice_ends_it() -> None:
    """A second SIGINT ends errtriage and its analyser at once, with 130."""
    process = started()
    assert process.stdout is not None
    assert eventually(lambda: children(process.pid))
    (analyser,) = children(process.pid)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=20) == 130
    assert eventually(lambda: not Path(f"/proc/{analyser}/cmdline").exists())


def test_sigterm_ends_with_a_report_when_the_run_ends() -> None:
    """A scheduler's SIGTERM to all processes: the run ends, and the report comes at once."""
    process = started()
    assert process.stdin is not None
    time.sleep(0.5)
    process.stdin.write(DIED)
    process.stdin.flush()
    os.killpg(process.pid, signal.SIGTERM)
    began = time.monotonic()
    out, _ = process.communicate(timeout=30)
    assert b"target-out-of-range" in out
    assert time.monotonic() - began < 15


def test_sigterm_reports_in_the_grace_time_and_still_passes_what_comes() -> None:
    """Where the run goes on after SIGTERM (it saves a checkpoint), the report comes meanwhile and the pipe stays."""
    process = started()
    assert process.stdin is not None
    assert process.stdout is not None
    time.sleep(0.5)
    process.stdin.write(DIED)
    process.stdin.flush()
    process.send_signal(signal.SIGTERM)
    seen = b""
    until = time.monotonic() + 20
    while b"end of errtriage report" not in seen and time.monotonic() < until:
        seen += os.read(process.stdout.fileno(), 65536)
    assert b"target-out-of-range" in seen
    out, _ = process.communicate(b"saved\n", timeout=30)
    assert out == b"saved\n"
    assert process.returncode == 1


@pytest.mark.parametrize("name", ["SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT"])
def test_signals_for_the_run_do_not_break_its_pipe(name: str) -> None:
    """A scheduler's warning or a closed session, sent to every process, leaves the pipe open until the run ends."""
    process = started()
    assert eventually(lambda: children(process.pid))
    time.sleep(0.3)
    os.killpg(process.pid, getattr(signal, name))
    time.sleep(0.2)
    out, _ = process.communicate(DIED, timeout=30)
    assert out.startswith(DIED)
    assert process.returncode == 1


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    """`| head` gets its lines, nobody complains, and errtriage is gone."""
    shell = f"(yes; echo feeder $? >&2) | ({sys.executable} -m errtriage; echo status $? >&2) | head -n 2"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, timeout=60, check=True)
    assert done.stdout == b"y\ny\n"
    assert b"status 0" in done.stderr
    assert b"errtriage" not in done.stderr.replace(b"errtriage -m", b"")
    assert b"feeder 141" in done.stderr  # SIGPIPE, as from cat


@pytest.fixture
def small_disk(tmp_path: Path):
    """A file system of 64 KiB."""
    if os.geteuid() != 0:
        pytest.skip("needs root to mount a small tmpfs")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "errtriage", str(tmp_path)], check=False).returncode:
        pytest.skip("no mounting here")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


@pytest.mark.parametrize("name", ["a.log", "a.log.gz"])
def test_a_full_disk_is_said_once_and_the_stream_goes_on(small_disk: Path, name: str) -> None:
    """Where --log fills its disk the stream still comes out whole, with its report, after one complaint."""
    data = os.urandom(200_000) + DIED
    done = piped(data, "--log", str(small_disk / name))
    assert done.stdout.startswith(data)
    assert b"target-out-of-range" in done.stdout
    assert done.stderr.count(b"No space left on device") == 1
    assert done.stderr.count(b"\n") == 1


def test_a_full_disk_under_the_output_does_not_end_the_run(small_disk: Path) -> None:
    """Where standard output itself is a file on a full disk, the stream is read to its end: the run is not stopped."""
    with (small_disk / "out").open("wb") as out:
        process = started_into(out)
        _, err = process.communicate(b"x" * 1_000_000 + b"\n", timeout=30)
    assert err.count(b"No space left on device") == 1
    assert process.returncode == 0


def started_into(out) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "errtriage"], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE
    )


BROKEN = """
import importlib, os, signal
import errtriage.cli
module = importlib.import_module("errtriage.triage")
def broken(*args, **kwargs):
    {body}
module.triage_sources = broken
errtriage.cli.main()
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise RuntimeError('oops')", b"RuntimeError: oops"),
        ("raise MemoryError", b"out of memory"),
        ("os.kill(os.getpid(), signal.SIGKILL)", b"SIGKILL"),
        ("os._exit(3)", b"exit code 3"),
    ],
)
def test_a_broken_analysis_costs_the_report_alone(body: str, told: bytes) -> None:
    """Whatever the analysis dies of: the stream comes out whole, the exit status is 0, and one complaint is made."""
    data = b"".join(b"line %d\n" % n for n in range(300_000))
    script = BROKEN.format(body=body)
    done = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True, timeout=60, check=False)
    assert done.stdout == data
    assert done.returncode == 0
    assert told in done.stderr
    assert done.stderr.startswith(b"errtriage: no report: ")


def test_closed_standard_input_is_an_error() -> None:
    """Where there is no standard input, one line says so, with exit status 2."""
    shell = f"{sys.executable} -m errtriage --quiet <&-"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=30, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_closed_standard_output_does_not_end_the_run(tmp_path: Path) -> None:
    """Where standard output is closed from the start, the stream is read to its end and the log is kept."""
    log = tmp_path / "log"
    shell = f"printf 'a\\nb\\n' | {sys.executable} -m errtriage --log {log} >&-"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert log.read_bytes() == b"a\nb\n"
