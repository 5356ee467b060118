"""Sources: whatever holds a log, it comes as the same windows, and trouble is told rather than raised."""

from __future__ import annotations

import bz2
import gzip
import importlib.util
import io
import lzma
import os
import resource
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errtriage import sources
from errtriage.errors import SourceError
from errtriage.sources import windows

LOG = b"epoch 1 loss 0.5\nTraceback (most recent call last):\nValueError: no\n"


def data_of(source: sources.Source) -> bytes:
    return b"".join(window.data for window in source.windows())


def open_one(path: Path | str) -> sources.Source:
    return next(sources.open_paths([path]))


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress, bytes], ids=["gzip", "bz2", "xz", "plain"]
)
def test_packed_files_are_read_by_their_magic_bytes(tmp_path: Path, pack) -> None:
    """A packed log, under any name, gives the bytes of the log."""
    path = tmp_path / "a.txt"
    path.write_bytes(pack(LOG))
    source = open_one(path)
    assert data_of(source) == LOG
    assert (source.info().bytes, source.info().lines, source.info().error) == (len(LOG), 3, None)


def test_packed_members_and_streams_are_joined() -> None:
    """Two gzip members in one stream, as log rotation makes them, are one log."""
    stream = io.BytesIO(gzip.compress(LOG) + gzip.compress(b"more\n"))
    assert data_of(sources.from_stream("<stdin>", stream)) == LOG + b"more\n"


def test_zstd_needs_an_extra_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a zstd package the error names the extra in one line."""
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = tmp_path / "a.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd\x04\x00")
    with pytest.raises(SourceError, match=r"errtriage\[zstd\]") as caught:
        open_one(path)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(importlib.util.find_spec("zstandard") is None, reason="needs the zstd extra")
def test_zstd_is_read_with_its_extra(tmp_path: Path) -> None:
    """A zstd log gives the bytes of the log."""
    import zstandard

    path = tmp_path / "a.zst"
    path.write_bytes(zstandard.compress(LOG))
    assert data_of(open_one(path)) == LOG


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bz2", "xz"])
@pytest.mark.parametrize("kept", [7, 0.5, 0.9])
def test_a_packed_file_cut_short_gives_its_beginning(tmp_path: Path, pack, kept: float) -> None:
    """What can be unpacked is read, and the report is told that the rest is missing."""
    packed = pack(os.urandom(3000).hex().encode() * 3)
    path = tmp_path / "cut"
    path.write_bytes(packed[: int(kept if kept > 1 else len(packed) * kept)])
    source = open_one(path)
    data_of(source)
    assert source.info().truncated
    assert source.info().error


def test_gzip_cut_short_keeps_what_was_before_the_cut(tmp_path: Path) -> None:
    """The text before the cut of a gzip file is not lost."""
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(LOG * 5000)[:-20])
    source = open_one(path)
    assert data_of(source).startswith(LOG * 100)
    assert source.info().truncated


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32"])
def test_marked_encodings_become_utf8(encoding: str) -> None:
    """UTF-16 (as PowerShell's `>` writes it, also without its mark) and marked UTF-8 are read as their text."""
    text = "Traceback (most recent call last):\r\nValueError: 训练 é\r\n"
    source = sources.from_bytes("a", text.encode(encoding))
    assert data_of(source) == text.encode()
    assert source.info().encoding.startswith("utf-")


def test_odd_ends_of_utf16_are_replaced() -> None:
    """Half a character at the end of UTF-16 is no error."""
    assert data_of(sources.from_bytes("a", "ab\n".encode("utf-16") + b"x")).startswith(b"ab\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing", "no such file"), ("empty", "no logs in this folder"), ("socket", "a socket"), ("nul\0", "null")],
)
def test_what_can_not_be_opened_is_one_clear_line(tmp_path: Path, name: str, message: str) -> None:
    """A missing path, a folder without logs, a socket and a bad path raise one line for the person."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "model.pt").write_bytes(b"PK\x03\x04\0\0")
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(tmp_path)  # a socket's path is short
        server.bind("socket")
        with pytest.raises(SourceError, match=message) as caught:
            open_one(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read all files")
def test_a_file_without_permission_is_one_clear_line(tmp_path: Path) -> None:
    """A file that may not be read says so."""
    path = tmp_path / "secret.log"
    path.write_bytes(LOG)
    path.chmod(0)
    with pytest.raises(SourceError, match="no permission"):
        open_one(path)


def test_the_null_device_is_an_empty_log() -> None:
    """`/dev/null` has no windows and no error."""
    source = open_one(os.devnull)
    assert data_of(source) == b""
    assert source.info().error is None


def test_a_file_that_vanishes_is_told() -> None:
    """A file that is gone when its turn comes does not raise."""
    source = sources.from_file("/nonexistent/gone.log")
    assert data_of(source) == b""
    assert (source.info().truncated, source.info().error) == (True, "the file has vanished")


def test_a_file_that_grows_is_read_as_far_as_it_reached(tmp_path: Path) -> None:
    """Lines that are written while the log is read do not count."""
    path = tmp_path / "a.log"
    path.write_bytes(b"line of the log\n" * 40_000)
    source = open_one(path)
    seen = b""
    for window in source.windows():
        seen += window.data
        with path.open("ab") as file:
            file.write(b"later\n" * 1000)
    assert seen == b"line of the log\n" * 40_000
    assert source.info().error is None


def test_a_file_that_shrinks_is_told(tmp_path: Path) -> None:
    """A file that is emptied while it is read gives what was read, and says so."""
    path = tmp_path / "a.log"
    path.write_bytes(b"line of the log\n" * 80_000)
    source = open_one(path)
    for window in source.windows():
        if window.offset == 0:
            os.truncate(path, 0)
    assert source.info().truncated
    assert "shorter" in (source.info().error or "")


def test_closed_standard_input_is_one_clear_line() -> None:
    """Standard input that is closed says so."""
    stream = io.BytesIO(LOG)
    stream.close()
    with pytest.raises(SourceError, match="closed"):
        next(sources.open_paths(["-"], stdin=stream))


def test_standard_input_is_read_by_a_dash() -> None:
    """`-` is standard input."""
    source = next(sources.open_paths(["-"], stdin=io.BytesIO(LOG)))
    assert (source.name, data_of(source)) == ("<stdin>", LOG)


def test_folders_give_their_logs_in_order(tmp_path: Path) -> None:
    """Log-like files come sorted from all folders below; binaries, sources and hidden files stay out."""
    wanted = ["a/rank0.log", "a/rank1.log.1", "a/slurm-12.out", "b/attempt_0/0/error.json", "b/attempt_0/0/stderr.log"]
    wanted += ["b/notes", "z.log.gz"]
    others = ["a/model.pt", "a/train.py", "b/.hidden.log", "b/img.png", ".git/x.log", "config.json", "requirements.txt"]
    for name in [*wanted, *others]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(LOG)
    (tmp_path / "b" / "dump").write_bytes(b"\0\1\2")
    found = [Path(source.name).relative_to(tmp_path).as_posix() for source in sources.open_paths([tmp_path])]
    assert found == wanted


def test_many_files_are_open_one_at_a_time(tmp_path: Path) -> None:
    """Hundreds of logs can be read under a small limit of open files."""
    for number in range(300):
        (tmp_path / f"rank{number}.log").write_bytes(LOG)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    try:
        opened = list(sources.open_paths([tmp_path]))
        assert sum(len(data_of(source)) for source in opened) == 300 * len(LOG)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def pieces(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    at = 0
    for size in sizes:
        yield data[at : at + size]
        at += size
    yield data[at:]


@settings(max_examples=60, deadline=None)
@given(
    data=st.binary(max_size=400) | st.text("ab\r\n ", max_size=400).map(str.encode), sizes=st.lists(st.integers(1, 90))
)
def test_windows_depend_on_the_bytes_alone(data: bytes, sizes: list[int]) -> None:
    """However the bytes arrive, the windows are the same, and together they are the bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "WINDOW", 32)
        whole = list(windows.windows_of([data], windows.Tally()))
        parted = list(windows.windows_of(pieces(data, sizes), windows.Tally()))
    assert whole == parted
    assert b"".join(window.data for window in whole) == data
    for window in whole:
        assert window.first_line == data[: window.offset].count(b"\n") + 1
        assert window.newlines == window.data.count(b"\n")
        assert len(window.data) <= 32


@settings(max_examples=40, deadline=None)
@given(data=st.binary(max_size=300), sizes=st.lists(st.integers(1, 60)))
def test_any_bytes_in_any_pieces_give_the_same_source(data: bytes, sizes: list[int]) -> None:
    """No bytes raise, be they packed, dressed or broken, and chunks do not matter."""
    whole = list(sources.from_bytes("a", data).windows())
    stream = io.BytesIO(data)
    stream.read1 = lambda size=-1: io.BytesIO.read(stream, min(7, size if size >= 0 else 7))  # type: ignore[method-assign]
    assert list(sources.from_stream("a", stream).windows()) == whole


def test_a_line_without_end_is_cut_and_marked() -> None:
    """A line longer than a window is cut at the window's end, never within a character."""
    cut = list(sources.from_bytes("a", ("é" * 400_000).encode() + b"\nend\n").windows())
    assert [window.cut for window in cut[:3]] == [True, True, True]
    assert all(window.data.decode() for window in cut)
    assert [window.first_line for window in cut] == [1] * len(cut)


def test_a_progress_bar_is_parted_at_carriage_returns() -> None:
    """A window without a newline ends at its last carriage return."""
    data = b"\r".join(b"%7d/1000000 [00:01<00:02]" % number for number in range(20_000))
    parts = list(sources.from_bytes("a", data).windows())
    assert not any(part.cut for part in parts)
    assert all(part.data.endswith(b"\r") for part in parts[:-1])


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    """A file can be read again."""
    path = tmp_path / "a.log"
    path.write_bytes(LOG)
    source = open_one(path)
    assert list(source.windows()) == list(source.windows())
    assert source.info().lines == 3


REPORT = b"errtriage report\nIndexError: Target 3\n\nend of errtriage report\n"


@pytest.mark.parametrize("prefix", [b"", b"[rank0]: ", b"2024-01-31T12:00:00.123456Z ", b"\x1b[1m"])
def test_reports_of_our_own_are_left_out(prefix: bytes) -> None:
    """A log that holds our report is read without it, and keeps its line numbers."""
    report = b"".join(prefix + line + b"\n" for line in REPORT.splitlines())
    source = sources.from_bytes("a", LOG + report + b"more\n" + report)
    parts = list(source.windows())
    assert b"".join(part.data for part in parts) == LOG + b"more\n"
    assert [part.first_line for part in parts] == [1, 8]


def test_a_report_without_end_stops_at_a_bound() -> None:
    """A line that only looks like our report does not hide the rest of a long log."""
    data = b"errtriage report\n" + b"line of the log\n" * 60_000
    kept = data_of(sources.from_bytes("a", data))
    assert len(kept) > len(data) // 2


def test_text_that_names_our_report_is_not_one() -> None:
    """Only a line that begins with the mark opens a report."""
    data = b"see the errtriage report below\n" + LOG
    assert data_of(sources.from_bytes("a", data)) == data
