"""`errtriage follow`: findings of growing logs, once each and in time, whatever happens to the files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from errtriage.knowledge import load_knowledge
from errtriage.live.follow import SETTLE, Finding, Follower
from errtriage.live.growing import Growing
from errtriage.live.tail import Tail
from errtriage.triage import triage
from processes import DIED, ERRTRIAGE, eventually, ran

NAN = b"".join(b"step %d loss %s\n" % (n, b"nan" if n > 20 else b"%.4f" % (2 / (n + 1))) for n in range(40))
FLAT = b"step %d loss 2.3026 accuracy 0.1\n"


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.time


class Watch:
    """A follower of paths, with its clock and all that it told."""

    def __init__(self, *paths: Path, stall: float | None = None) -> None:
        self.clock = Clock()
        known = load_knowledge()
        self.growing = Growing(known)
        self.follower = Follower([str(path) for path in paths], known, self.growing, stall=stall, now=self.clock)

    def wait(self, seconds: float = SETTLE + 0.5) -> list[Finding]:
        """Let time pass, a look at a time, and return what is told meanwhile."""
        told: list[Finding] = []
        until = self.clock.time + seconds
        while self.clock.time < until:
            told += self.follower.step()
            self.clock.time += 0.25
        return told


def ids(found: list[Finding]) -> list[str]:
    return [one.explanation.id if one.explanation else "stall" for one in found]


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_a_finding_is_told_once_when_it_appears(tmp_path: Path) -> None:
    """A traceback is explained soon after it was written, with its line, and not again when more comes."""
    log = tmp_path / "train.log"
    log.write_bytes(b"step 1 loss 0.5\n" * 10)
    watch = Watch(log)
    assert watch.wait() == []
    append(log, DIED)
    (found,) = watch.wait()
    assert found.explanation is not None
    assert found.explanation.id == "target-out-of-range"
    assert found.explanation.evidence[0].line == 12
    append(log, b"step 3 loss 0.4\n" + DIED)
    assert watch.wait() == []


def test_a_nan_is_told_while_the_run_goes_on(tmp_path: Path) -> None:
    """A loss that became NaN is told at once, though nothing died."""
    log = tmp_path / "train.log"
    log.write_bytes(NAN)
    assert "nan-loss" in ids(Watch(log).wait(1.0))


def test_a_flat_start_is_not_told_at_once(tmp_path: Path) -> None:
    """A loss that stands at chance is told only when it has lasted, and never where it falls after all."""
    log = tmp_path / "train.log"
    log.write_bytes(b"".join(FLAT % n for n in range(60)))
    whole = triage(b"".join(FLAT % n for n in range(120)))
    assert whole.explanations
    watch = Watch(log)
    assert watch.wait() == []
    append(log, b"".join(FLAT % n for n in range(60, 120)))
    assert set(ids(watch.wait())) == {one.id for one in whole.explanations}


def test_a_file_may_come_late_and_lose_its_last_newline(tmp_path: Path) -> None:
    """A file that is not there yet is waited for, and a last line without end is read when nothing more comes."""
    log = tmp_path / "late.log"
    watch = Watch(log)
    assert watch.wait() == []
    log.write_bytes(DIED.rstrip(b"\n"))
    assert ids(watch.wait(0.5)) == []
    assert ids(watch.wait()) == ["target-out-of-range"]


def test_rotation_and_truncation_lose_nothing(tmp_path: Path) -> None:
    """What stood at the end of a rotated file, in its successor, and in a file that was cut short is all read."""
    log = tmp_path / "a.log"
    tail = Tail(str(log))
    log.write_bytes(b"1\n2\n")
    assert (tail.read(), tail.restarted) == (b"1\n2\n", True)
    append(log, b"3\nno end")
    log.rename(tmp_path / "a.log.1")
    assert (tail.read(), tail.restarted) == (b"3\n", False)
    log.write_bytes(b"4\n")
    assert tail.read() == b"no end\n"
    assert (tail.read(), tail.restarted) == (b"4\n", True)
    log.write_bytes(b"")
    append(log, b"5")
    assert tail.read() == b""
    append(log, b"\n")
    assert (tail.read(), tail.restarted) == (b"5\n", True)
    assert tail.read() == b""
    tail.close()


def test_lines_of_a_rotated_file_are_counted_anew(tmp_path: Path) -> None:
    """Line numbers are those of the file that is there now."""
    log = tmp_path / "a.log"
    log.write_bytes(b"x\n" * 500)
    watch = Watch(log)
    watch.wait()
    log.rename(tmp_path / "a.log.1")
    log.write_bytes(DIED)
    (found,) = watch.wait()
    assert found.explanation is not None
    assert found.explanation.evidence[0].line == 2


def test_several_ranks_are_one_job(tmp_path: Path) -> None:
    """A folder's logs are followed, new ones too, and the same fault of several ranks is one finding."""
    (tmp_path / "rank_0.log").write_bytes(b"step 1 loss 0.5\n")
    watch = Watch(tmp_path)
    assert watch.wait() == []
    append(tmp_path / "rank_0.log", DIED)
    (tmp_path / "rank_1.log").write_bytes(DIED)
    assert ids(watch.wait(8)) == ["target-out-of-range"]
    assert watch.growing.report().explanations[0].ranks == (0, 1)


def test_an_effect_is_told_as_that(tmp_path: Path) -> None:
    """What comes later and is explained by something told before names it."""
    log = tmp_path / "train.log"
    log.write_bytes(b"libs/a.py:61: RuntimeWarning: overflow encountered in exp\n  x = np.exp(y)\nstep 1 loss 0.5\n")
    watch = Watch(log)
    first = ids(watch.wait())
    spam = b"/p/Loss.cu:94: operator(): block: [0,0,0], thread: [%d,0,0] Assertion `input_val >= zero && input_val <= one` failed.\n"  # noqa: E501
    append(log, b"".join(spam % n for n in range(32)))
    later = watch.wait()
    assert first
    assert later
    assert not set(first) & set(ids(later))


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_pieces_give_the_answer_of_the_whole(size: int) -> None:
    """A log that was read line by line, or in any pieces of lines, is explained as it is when read at once."""
    log = b"epoch 1\n" * 20 + DIED + b"step 2\n" * 5
    whole = triage(log)
    growing = Growing(load_knowledge())
    lines = log.splitlines(keepends=True)
    for at in range(0, len(lines), size):
        growing.add("log", b"".join(lines[at : at + size]))
    growing.settle("log")
    told = growing.report()
    assert [(one.id, one.where, one.evidence) for one in told.explanations] == [
        (one.id, one.where, one.evidence) for one in whole.explanations
    ]


def test_a_stall_is_told_once_until_something_comes_again(tmp_path: Path) -> None:
    """After so many minutes without anything new that is told, with the last line; then again after new lines."""
    log = tmp_path / "train.log"
    log.write_bytes(b"step 7 loss 0.5\n")
    watch = Watch(log, stall=1)
    assert watch.wait(50) == []
    (found,) = watch.wait(300)
    assert (found.explanation, found.source, found.last_line) == (None, str(log), "step 7 loss 0.5")
    append(log, b"step 8 loss 0.5\n")
    assert ids(watch.wait(120)) == ["stall"]


def test_a_folder_or_secret_is_told(tmp_path: Path) -> None:
    """A path that can not be read as a log ends with one line and exit status 2."""
    done = ran("follow", "--format=html", str(tmp_path / "a"))
    assert done.returncode == 2
    assert ran("follow", "--exit-on=often", str(tmp_path / "a")).returncode == 2
    assert ran("follow").returncode == 2


def test_exit_on_ends_it_with_one(tmp_path: Path) -> None:
    """With --exit-on fatal the first fatal finding ends it; json is one object a line."""
    log = tmp_path / "train.log"
    log.write_bytes(DIED)
    done = ran("follow", "--exit-on=fatal", "--format=json", str(log))
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [one["explanation"]["id"] for one in told] == ["target-out-of-range"]
    assert told[0]["schema"] == "errtriage.finding/1"


def test_exit_on_stall(tmp_path: Path) -> None:
    """A stall ends it where that was asked for."""
    log = tmp_path / "train.log"
    log.write_bytes(b"step 7 loss 0.5\n")
    done = ran("follow", "--exit-on=stall", "--stall=0.01", str(log))
    assert done.returncode == 1
    assert b"STALL  nothing new" in done.stdout
    assert b"step 7 loss 0.5" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_it() -> None:
    """SIGINT ends it with 130 and no words."""
    process = subprocess.Popen([*ERRTRIAGE, "follow", "/nowhere.log"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.0)
    assert eventually(lambda: Path(f"/proc/{process.pid}").exists() or os.name == "nt")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
