"""The command line: exit statuses, bad input, code pages; a person never sees a traceback of ours."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from case_files import LOGS
from errtriage.cli.options import OPTIONS

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "overflow-then-assert.log"
HEALTHY = LOGS / "reported" / "c-cross-encoder-3ep.log"


def errtriage(
    *arguments: str | Path, stdin: bytes | None = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "errtriage", *map(str, arguments)],
        input=stdin,
        stdin=None if stdin is not None else subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("explain", EXAMPLE), 0),
        ((EXAMPLE,), 0),
        (("explain", EXAMPLE, "--exit-code"), 1),
        (("explain", HEALTHY, "--exit-code"), 0),
        (("explain", "no-such-file.log"), 2),
        (("explain", EXAMPLE, "no-such-file.log"), 2),
        (("explain", EXAMPLE, "--format", "nonsense"), 2),
        (("explain", "--no-such-option"), 2),
        (("--version",), 0),
        (("--help",), 0),
        (("doctor",), 0),
        (("kb", "show", "target-out-of-range"), 0),
        (("kb", "show", "no-such-entry"), 2),
    ],
)
def test_exit_status(arguments: tuple[str, ...], status: int) -> None:
    """Every way to end has the exit status of the contract, and none shows a traceback of ours."""
    done = errtriage(*arguments)
    assert done.returncode == status, done.stderr.decode()
    assert b"Traceback (most recent call last)" not in done.stderr


def test_complaints_go_to_standard_error_and_the_rest_is_reported() -> None:
    """With several paths one that can not be read is told in one line, and the others are explained."""
    done = errtriage("explain", "no-such-file.log", EXAMPLE)
    assert done.stderr.decode().count("\n") == 1
    assert b"numpy-overflow" in done.stdout


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.log", b""),
        ("random.log", bytes(range(256)) * 400),
        ("one-line.log", b"x" * 3_000_000),
        ("nul.log", b"\0" * 100_000),
        ("cut.log.gz", gzip.compress(EXAMPLE.read_bytes())[:-40]),
        ("utf16.log", EXAMPLE.read_text(encoding="utf-8").encode("utf-16")),
        ("crlf.log", EXAMPLE.read_bytes().replace(b"\n", b"\r\n")),
        ("gbk.log", "错误: 内存不足\n".encode("gbk") * 50 + EXAMPLE.read_bytes()),
    ],
)
def test_odd_content_gives_a_plain_report(tmp_path: Path, name: str, content: bytes) -> None:
    """Empty, binary, endless, cut and foreign text is read as far as it goes; what was cut is said."""
    path = tmp_path / name
    path.write_bytes(content)
    done = errtriage("explain", path, "--format", "json")
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    if name in ("utf16.log", "crlf.log", "gbk.log", "cut.log.gz"):
        assert told["explanations"][0]["id"] == "numpy-overflow"
    else:
        assert told["explanations"] == []
    assert told["sources"][0]["truncated"] == name.startswith("cut")


@pytest.mark.parametrize("path", ["/dev/null", "."])
def test_devices_and_folders(path: str, tmp_path: Path) -> None:
    """An empty device gives a report; a folder without logs gives one clear line."""
    done = errtriage("explain", path if path != "." else tmp_path)
    assert done.returncode == (0 if path == "/dev/null" else 2)
    assert b"Traceback" not in done.stderr


def test_a_closed_standard_input_is_one_clear_line() -> None:
    """Standard input that is closed gives a complaint and exit status 2, not a bug report."""
    done = subprocess.run(
        [sys.executable, "-m", "errtriage", "explain", "-"],
        capture_output=True,
        close_fds=True,
        preexec_fn=lambda: os.close(0),
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("command", [["explain", "/dev/null"], ["kb", "list"]])
def test_a_full_disk_is_one_clear_line(command: list[str]) -> None:
    """A report that can not be written for want of room is told in one line, not as a bug."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "errtriage", *command], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"errtriage: No space left on device\n"


def test_a_legacy_code_page_gets_escapes() -> None:
    """Output under cp1252 or ASCII holds backslash escapes for what it can not show, and is whole."""
    done = errtriage("explain", EXAMPLE, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.rstrip().endswith(b"end of errtriage report")


@pytest.mark.parametrize(
    ("arguments", "start"),
    [(f'explain "{EXAMPLE}" --all --why', b"errtriage report"), ("kb list", b"accelerate-not-initialized")],
    ids=["fast door", "typer"],
)
def test_a_reader_that_goes_away_is_no_error(arguments: str, start: bytes) -> None:
    """`errtriage … | head -1` ends quietly, with exit status 0 whichever way the command line is read."""
    command = f'set -o pipefail; "{sys.executable}" -m errtriage {arguments} | head -1'
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(start)


def test_the_fast_door_and_typer_take_the_same_options() -> None:
    """Between them, the helps of `explain` and of the pipe hold every option of the table, and no other."""
    texts = [errtriage(*arguments).stdout.decode() for arguments in (("explain", "--help"), ("--help",))]
    flags = {flag for text in texts for flag in re.findall(r"(?<!\w)--[a-z][a-z-]+", text)} - {"--help", "--version"}
    assert flags == {flag for option in OPTIONS.values() for flag in option.flags if flag.startswith("--")}


def test_doctor_tells_the_engine_and_the_knowledge() -> None:
    """`doctor` names the engine, also a forced one, the number of entries and the extras."""
    text = errtriage("doctor", ERRTRIAGE_ENGINE="skeleton").stdout.decode()
    assert re.search(r"^engine +skeleton .*ERRTRIAGE_ENGINE=skeleton", text, re.MULTILINE)
    assert re.search(r"^knowledge +\d{3} entries", text, re.MULTILINE)
    assert re.search(r"^extras +fast (yes|no)", text, re.MULTILINE)
