"""`errtriage run`: the command's output, status, signals and end are its own, and a failure is explained."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from errtriage.live import ending as endings
from errtriage.live import memory
from errtriage.live.ending import Ending
from errtriage.model import Explanation, Report, Where
from errtriage.triage import triage
from errtriage.values import replace
from processes import ERRTRIAGE, children, eventually, ran, started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes and signals")
GIB = 1024**3
FAILS = "raise IndexError('Target 3 is out of bounds.')"


def python(code: str) -> list[str]:
    return ["--", sys.executable, "-c", code]


def shell(code: str) -> list[str]:
    return ["--", "sh", "-c", code]


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("exit 0", 0),
        ("exit 3", 3),
        ("kill -9 $$", 137),
        ("kill -TERM $$", 143),
        ("kill -SEGV $$", 139),
    ],
)
def test_the_exit_status_is_the_commands_own(code: str, status: int) -> None:
    """Exit codes come through, and a signal is told as shells tell it."""
    assert ran("run", "--quiet", *shell(code)).returncode == status


def test_what_can_not_be_started_is_told_as_a_shell_tells_it(tmp_path: Path) -> None:
    """127 where there is no such program, 126 where it may not be executed, each with one line."""
    (tmp_path / "plain").write_text("text", encoding="utf-8")
    assert ran("run", "no-such-program-anywhere").returncode == 127
    done = ran("run", str(tmp_path / "plain"))
    assert done.returncode == 126
    assert f"errtriage: {tmp_path}/plain: Permission denied\n".encode() in done.stderr


def test_a_run_without_a_command_is_a_usage_error() -> None:
    """`errtriage run` alone says what it needs, with exit status 2."""
    assert ran("run").returncode == 2


def test_output_comes_through_and_a_failure_is_explained() -> None:
    """A command that fails: its output byte for byte, how it ended, then the report."""
    done = ran("run", *python(f"print('a' * 10); {FAILS}"))
    assert done.returncode == 1
    assert done.stdout.startswith(b"aaaaaaaaaa\nTraceback (most recent call last):\n")
    assert b"errtriage run: the command ended with exit code 1 after " in done.stdout
    assert b"target-out-of-range" in done.stdout


def test_a_command_that_ends_well_is_not_talked_about() -> None:
    """Where the command succeeds and nothing is suspect, its output is all that is printed."""
    data = bytes(range(256)) * 100
    done = ran("run", *python(f"import sys; sys.stdout.buffer.write({bytes(range(256))!r} * 100)"))
    assert (done.stdout, done.returncode) == (data, 0)


def test_a_silent_fault_of_a_command_that_ends_well_is_explained() -> None:
    """A loss that became NaN is reported even where the exit code is 0."""
    code = "for n in range(60): print(f'step {n} loss {float(\"nan\") if n > 20 else 1.0 / (n + 1)}')"
    done = ran("run", *python(code))
    assert done.returncode == 0
    assert b"nan-loss" in done.stdout


def test_streams_are_kept_apart_where_asked() -> None:
    """With --separate standard error of the command is ours, and both are analysed, line by line."""
    code = "import sys; print('out', flush=True); print('err', file=sys.stderr); " + FAILS
    done = ran("run", "--separate", *python(code))
    assert done.stdout.startswith(b"out\nerrtriage run: ")
    assert b"err\nTraceback" in done.stderr
    assert b"target-out-of-range" in done.stdout


def test_woven_streams_are_kept_in_whole_lines(tmp_path: Path) -> None:
    """Pieces of lines that two streams print at the same time never mix in the log."""
    code = """
import sys, time
for n in range(20):
    for part in ("aa", "bb", "\\n"):
        sys.stdout.write(part); sys.stdout.flush()
        sys.stderr.write(part.upper()); sys.stderr.flush()
"""
    ran("run", "--separate", "--quiet", "--log", str(tmp_path / "log"), *python(code))
    lines = (tmp_path / "log").read_bytes().splitlines()
    assert sorted(line for line in lines if not line.startswith(b"errtriage")) == [b"AABB"] * 20 + [b"aabb"] * 20


def test_json_is_the_report_alone_and_tells_how_it_ended() -> None:
    """With --format json nothing else is printed, and `run` holds exit code, time, memory and last words."""
    told = json.loads(ran("run", "--format=json", *python("print('bye'); raise SystemExit(7)")).stdout)
    assert told["run"]["exit_code"] == 7
    assert told["run"]["signal"] is None
    assert told["run"]["last_words"] == ["bye"]
    assert told["run"]["peak_memory"] > 1_000_000
    assert told["run"]["seconds"] > 0


def test_variables_are_set_unless_they_are_already() -> None:
    """The two of every run, and those of --diagnose with what they are for; what the person set stays."""
    code = (
        "import os; print(*(os.environ.get(n) for n in ('PYTHONFAULTHANDLER', 'CUDA_LAUNCH_BLOCKING', 'NCCL_DEBUG')))"
    )
    environment = {**os.environ, "NCCL_DEBUG": "INFO"}
    assert ran("run", *python(code), env=environment).stdout == b"1 None INFO\n"
    done = ran("run", "--diagnose", *python(code), env=environment)
    assert done.stdout == b"1 1 INFO\n"
    assert b"sets CUDA_LAUNCH_BLOCKING=1: " in done.stderr
    assert b"sets NCCL_DEBUG" not in done.stderr


def test_a_command_on_failure_gets_the_report(tmp_path: Path) -> None:
    """--on-failure gets the JSON on its standard input where the command failed, and not where it did not."""
    target = tmp_path / "report.json"
    ran("run", "--on-failure", f"cat > {target}", *python("pass"))
    assert not target.exists()
    done = ran("run", "--on-failure", f"cat > {target}; exit 4", *python(FAILS))
    told = json.loads(target.read_text(encoding="utf-8"))
    assert told["explanations"][0]["id"] == "target-out-of-range"
    assert told["run"]["exit_code"] == 1
    assert done.returncode == 1
    assert b"exit status 4" in done.stderr


def test_signals_are_handed_on() -> None:
    """SIGTERM to errtriage reaches the command, which may still say something; the status is the command's."""
    code = (
        "import signal, sys, time\n"
        "def stop(*_): print('saving', flush=True); sys.exit(5)\n"
        "signal.signal(signal.SIGTERM, stop); print('ready', flush=True); time.sleep(60)"
    )
    process = started("run", *python(code))
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=30)
    assert out.startswith(b"saving\n")
    assert process.returncode == 5


def test_a_killed_command_is_told_with_its_signal() -> None:
    """A kill -9 of the command is said in the report, and the status is 137."""
    process = started("run", *python("import time; print('ready', flush=True); time.sleep(60)"))
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    command = next(pid for pid in children(process.pid) if b"errtriage" not in _words(pid))
    os.kill(command, signal.SIGKILL)
    out, _ = process.communicate(timeout=30)
    assert b"the command ended by SIGKILL after" in out
    assert b"process-killed" in out
    assert process.returncode == 137


def _words(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def test_grandchildren_that_hold_the_pipe_are_not_waited_for() -> None:
    """A process that the command left behind keeps its pipe open; the report comes all the same, and it lives on."""
    began = time.monotonic()
    done = ran("run", "--", "sh", "-c", "sleep 30 & echo $!; exit 3")
    assert time.monotonic() - began < 15
    assert done.returncode == 3
    assert b"the command ended with exit code 3" in done.stdout
    left = int(done.stdout.split()[0])
    os.kill(left, signal.SIGKILL)


def test_a_command_that_closes_its_output_is_waited_for() -> None:
    """A command whose output ends before itself is not taken for ended."""
    assert ran("run", "--", "sh", "-c", "exec >&- 2>&-; sleep 0.3; exit 6").returncode == 6


def test_a_reader_that_goes_away_is_the_commands_matter() -> None:
    """`errtriage run … | head`: the command finds its output closed, as it would without us."""
    words = " ".join([*ERRTRIAGE, "run", "--", "yes"])
    script = f"({words}; echo status $? >&2) | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, timeout=60, check=True)
    assert done.stdout == b"y\n"
    assert b"status 141" in done.stderr


def test_silence_is_no_end() -> None:
    """A command that prints nothing for a while is waited for, at next to no cost."""
    code = "import time; print('a', flush=True); time.sleep(1.5); print('b')"
    before = os.times()
    done = ran("run", *python(code))
    after = os.times()
    assert done.stdout == b"a\nb\n"
    assert after.children_user + after.children_system - before.children_user - before.children_system < 3


def ending(**more: object) -> Ending:
    values = {"command": ("train",), "code": None, "signal": 9, "seconds": 11520.0, "silent": 2.0, "peak": 60 * GIB}
    return Ending(**{**values, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("how", "first"),
    [
        (ending(limit=64 * GIB, limit_kills=1), "host-oom-killed"),
        (ending(limit=64 * GIB), "host-oom-killed"),
        (ending(limit=None, machine=62 * GIB), "host-oom-killed"),
        (ending(peak=8 * GIB, machine=62 * GIB, machine_kills=1), "host-oom-killed"),
        (ending(signal=None, code=1, limit=64 * GIB, limit_kills=2), "host-oom-killed"),
        (ending(peak=8 * GIB, limit=64 * GIB), "process-killed"),
        (ending(limit=64 * GIB, stopped="at the limit of time"), "process-killed"),
        (ending(signal=11, limit=64 * GIB), "segfault"),
        (ending(signal=15), "stopped-by-sigterm"),
    ],
)
def test_how_it_ended_is_explained(how: Ending, first: str) -> None:
    """A SIGKILL near the limit, or one that the kernel counted, is a host OOM kill; another one is a plain kill."""
    report = triage("step 10 loss 0.5\n" + endings.lines(how))
    assert report.ending == "died"
    assert report.explanations[0].id == first


def test_the_figures_of_an_oom_kill_are_told() -> None:
    """Peak and limit stand in the evidence."""
    report = triage(endings.lines(ending(limit=64 * GIB, limit_kills=1)))
    told = report.explanations[0]
    assert "60.0 GiB of a limit of 64.0 GiB" in told.evidence[0].text
    assert "60.00 GiB" in told.summary


def test_a_good_end_is_an_end() -> None:
    """Exit code 0 makes the ending completed, with nothing to explain."""
    report = triage("epoch 1\n" + endings.lines(ending(signal=None, code=0)))
    assert (report.ending, report.explanations) == ("completed", ())


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.26, "0.3 s"), (59.9, "59 s"), (61, "1 min 1 s"), (3600, "1 h 0 min"), (90_061, "1 d 1 h")],
)
def test_durations_are_written_for_people(seconds: float, text: str) -> None:
    """Two units at most."""
    assert endings.duration(seconds) == text


def test_without_fork_a_command_is_started_all_the_same() -> None:
    """Where there is no fork both streams come by one pipe, and code and end are known."""
    from errtriage.live.command import CannotStart, start_process

    code = "import os, sys; print('out', flush=True); print(os.environ['A'], file=sys.stderr, flush=True); sys.exit(3)"
    command = start_process([sys.executable, "-c", code], {"A": "err"})
    with os.fdopen(command.output, "rb") as output:
        assert output.read().split() == [b"out", b"err"]
    command.look(wait=True)
    assert (command.code, command.signal) == (3, None)
    assert command.ended is not None
    with pytest.raises(CannotStart) as caught:
        start_process(["no-such-program-anywhere"], {})
    assert caught.value.exit_status == 127


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_of_the_whole_tree_is_seen() -> None:
    """What a grandchild holds counts."""
    code = (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', "
        "'x = bytearray(80_000_000); print(1, flush=True); input()'])"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert 80_000_000 < memory.tree_memory(process.pid) < 200_000_000
        process.kill()
        for child in children(process.pid):
            os.kill(child, signal.SIGKILL)


def test_limits_and_kills_are_read_of_both_kinds_of_cgroup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tightest limit of the group and those above it, and the kills of the nearest group that counts them."""
    two, one = tmp_path / "v2" / "job", tmp_path / "v1"
    two.mkdir(parents=True)
    one.mkdir()
    (two / "memory.max").write_text("max\n")
    (two / "memory.events").write_text("oom 1\noom_kill 2\n")
    (two.parent / "memory.max").write_text("4096\n")
    (one / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    monkeypatch.setattr(memory, "_cgroups", lambda: [str(two), str(two.parent), str(one)])
    watched = memory.Memory(os.getpid())
    assert (watched.limit, watched.limit_kills) == (4096, 0)
    (two / "memory.events").write_text("oom 1\noom_kill 5\n")
    assert watched.limit_kills == 3


ASSERT = "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll: block: [0,0,0], thread: [5,0,0] Assertion `t >= 0 && t < n_classes` failed."  # noqa: E501
LATE = f"""
import os, sys
blocking = os.environ.get("CUDA_LAUNCH_BLOCKING") == "1"
print({ASSERT!r})
print("Traceback (most recent call last):", file=sys.stderr)
print(f'  File "train.py", line {{7 if blocking else 12}}, in step', file=sys.stderr)
print("    loss = f(x)", file=sys.stderr)
print("RuntimeError: CUDA error: device-side assert triggered", file=sys.stderr)
sys.exit(1)
"""


def test_after_an_assertion_it_is_run_once_more_for_the_true_line() -> None:
    """With --rerun-on-assert the second run, with launch blocking, gives the line, and one report tells of both."""
    done = ran("run", "--format=json", "--rerun-on-assert", *python(LATE), env=_without_blocking())
    told = json.loads(done.stdout)
    first = told["explanations"][0]
    assert first["id"] == "target-out-of-range"
    assert (first["where"]["line"], first["where"]["late"]) == (7, False)
    assert {item["source"] for item in first["evidence"]} == {"<run>", "<second run>"}
    assert [source["name"] for source in told["sources"]] == ["<run>", "<second run>"]
    assert done.returncode == 1
    assert b"running once more with CUDA_LAUNCH_BLOCKING=1" in done.stderr


def _without_blocking() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if "LAUNCH_BLOCKING" not in name}


def test_a_second_run_is_limited_in_time() -> None:
    """A second run that hangs is stopped, and the first report stands."""
    code = LATE.replace("print(", "blocking and __import__('time').sleep(60)\nprint(", 1)
    began = time.monotonic()
    done = ran("run", "--rerun-on-assert", "--rerun-limit=0.01", *python(code), env=_without_blocking())
    assert time.monotonic() - began < 30
    assert b"target-out-of-range" in done.stdout


def test_nothing_is_run_again_without_an_assertion() -> None:
    """Another failure is not repeated."""
    done = ran("run", "--rerun-on-assert", *python("print('once'); 1 / 0"))
    assert done.stdout.count(b"once\n") == 1


def test_a_second_run_that_does_not_fail_says_so() -> None:
    """The first report stays, and the person is told that the fault does not come every time."""
    from errtriage.live.rerun import merged

    one = Explanation(id="a", title="", summary="", role="cause", severity="fatal", confidence=0.9)
    first = Report(sources=(), verdict="failed", ending="died", headline="", explanations=(one,))
    second = replace(first, ending="completed", explanations=())
    told = merged(first, second, "on the CPU")
    assert told.explanations == (one,)
    assert "on the CPU, it did not fail" in told.collect[0]


def test_what_only_the_first_run_showed_is_kept() -> None:
    """Faults of the first run that the second one explains better stand after it, as its effects."""
    from errtriage.live.rerun import merged

    late = Where(file="train.py", line=12, late=True)
    one = Explanation(
        id="device-side-assert", title="", summary="", role="symptom", severity="fatal", confidence=0.9, where=late
    )
    two = replace(one, id="target-out-of-range", title="A label", where=Where(file="train.py", line=7))
    first = Report(sources=(), verdict="failed", ending="died", headline="", explanations=(one,))
    told = merged(first, replace(first, explanations=(two,)), "on the CPU")
    assert [(x.id, x.explained_by) for x in told.explanations] == [
        ("target-out-of-range", None),
        ("device-side-assert", "target-out-of-range"),
    ]
    assert told.headline == "A label at train.py:7"


def test_a_stopping_errtriage_leaves_no_analyser() -> None:
    """When errtriage run has ended its analyser has, too."""
    process = started("run", *python("import time; print('ready', flush=True); time.sleep(1)"))
    assert process.stdout is not None
    process.stdout.readline()
    pids = children(process.pid)
    process.communicate(timeout=30)
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))
