"""Lines: what a terminal would show of the bytes, whatever their encoding, each with rank, host and time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errtriage import lines, sources
from errtriage.lines.clock import seconds
from errtriage.model import Span

HERE = Span(first=7, last=7)
NOON = 1706702400.0  # 2024-01-31T12:00:00Z


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"plain", "plain"),
        (b"\x1b[1;31mred\x1b[0m and \x1b]0;title\x07more\x1b[K", "red and more"),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"\x1b(Bcharset \x1b[?25lhidden", "charset hidden"),
        (b"cut short\x1b[3", "cut short"),
        (b"[34m[1mtrain: [0mstarts", "train: starts"),
        (b"\\x1b[31mred\\x1b[0m", "red"),
        (b"a\x00b\x00", "ab"),
        (b"10%\b\b\b20%", "20%"),
        (b"abc\b\b", "abc"),
        (b"\b\bx", "x"),
        ("训练错误：显存不足".encode("gbk"), "训练错误：显存不足"),
        ("Größe".encode("latin-1"), "Größe"),
        (b"caf\xc3\xa9 \xff", "café \\xff"),
        (b"bell\x07 vertical\x0b", "bell vertical"),
    ],
)
def test_control_signs_and_encodings_become_text(raw: bytes, text: str) -> None:
    """Colours, titles, backspaces, NULs and other encodings leave what a person would see."""
    assert lines.plain_text(raw) == text


@pytest.mark.parametrize("encoding", ["gb18030", "cp1252", "utf-8"])
def test_a_log_in_another_encoding_says_so(encoding: str) -> None:
    """The source tells in which encoding its first window is."""
    source = sources.from_bytes("a", "x\n训练错误\n".encode(encoding) if encoding != "cp1252" else b"Gr\xf6\xdfe\n")
    list(source.windows())
    assert source.info().encoding == encoding


def test_carriage_returns_part_a_line_into_states() -> None:
    """Each state of a progress bar is a line of the same span, with the prefix of the first."""
    found = lines.clean(b"[rank1]: 10%\r20%\r\rTraceback (most recent call last):\r\n", HERE)
    assert [line.text for line in found] == ["10%", "20%", "Traceback (most recent call last):"]
    assert {(line.channel, line.span) for line in found} == {("rank1", HERE)}


def test_long_bars_are_cheap() -> None:
    """Of thousands of states the first and the last ones are kept."""
    found = lines.clean(b"\r".join(b"%d%%" % number for number in range(100_000)), HERE)
    assert len(found) == lines.MOST_SEGMENTS
    assert (found[0].text, found[-1].text) == ("0%", "99999%")


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("rank3.log", (3, None)),
        ("logs/worker-12.out", (12, None)),
        ("node-b_rank_5.txt", (5, "node-b")),
        ("run/attempt_0/3/stderr.log", (3, None)),
        ("slurm-123_4.out", (4, None)),
        ("slurm-884213.out", (None, None)),
        ("logs/node07/rank2.log.gz", (2, "node07")),
        ("task-3.err", (3, None)),
        ("C:\\logs\\rank_2.log", (2, None)),
        ("worker-812-dmesg.log", (None, None)),
        ("run_7.log", (None, None)),
        ("epoch-10.log", (None, None)),
        ("<stdin>", (None, None)),
    ],
)
def test_file_names_tell_rank_and_node(name: str, identity: tuple[int | None, str | None]) -> None:
    """The usual names of logs of one rank or node say which; other numbers do not."""
    assert lines.identity_of_source(name) == identity


def test_lines_of_a_rank_s_file_have_its_rank() -> None:
    """Where no prefix names a rank, the file does."""
    assert lines.clean_one(b"x", HERE, source="node-b_rank_5.txt").rank == 5
    assert lines.clean_one(b"[rank2]: x", HERE, source="rank_5.txt").rank == 2


@pytest.mark.parametrize(
    ("stamp", "value"),
    [
        ("1970-01-02 00:00:01", 86401.0),
        ("2024/01/31 12:00:00", NOON),
        ("2024-01-31T12:00:00-01:30", NOON + 5400),
        ("01/31/2024 12:00:00", NOON),
        ("Wed Jan 31 12:00:00 2024", NOON),
        ("0131 12:00:00", 30 * 86400 + 43200.0),
        ("719 00:00:00", 199 * 86400.0),
        ("31/01 12:00:00", 30 * 86400 + 43200.0),
        ("12:00:01", 43201.0),
        ("12.5", 12.5),
        ("0231 12:00:00", None),
        ("no date", None),
    ],
)
def test_time_stamps_become_seconds(stamp: str, value: float | None) -> None:
    """Every form of stamp is seconds since 1970, of a day or since boot; no date is None."""
    assert seconds(stamp) == value


@given(st.binary(max_size=80) | st.text("[]rank(0123456789): ,|-TZ\x1bm\b\r\x00", max_size=60).map(str.encode))
def test_no_line_raises_and_text_has_no_control_sign(raw: bytes) -> None:
    """Whatever stands in a line, it becomes text that is safe to show."""
    for line in lines.clean(raw, HERE):
        assert not any(sign < " " and sign != "\t" for sign in line.text.replace("\n", ""))
        assert line.span == HERE
