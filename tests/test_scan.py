"""The lines of a source that are worth a look: which ones, in which order, and how spam is counted."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errtriage import scan
from errtriage.model import Line
from errtriage.patterns import all_patterns
from errtriage.patterns.base import LinePattern
from errtriage.patterns.table import row_of
from errtriage.scan import engines, repeats, sampling, spam
from errtriage.scan.wanted import Wanted
from errtriage.sources import WINDOW, from_bytes, from_chunks

ASSERT = LinePattern(
    kind="device_assert",
    literals=("Assertion `",),
    regex=r"block: \[(?P<block>[\w,]{1,60})\], thread: \[(?P<thread>[\w,]{1,60})\] Assertion `(?P<condition>[^`]+)`",
    ranged=("block", "thread"),
    several=True,
)
WANTED = Wanted.of(["Assertion `", "Traceback (most", "Error", "Warning:"], [row_of(ASSERT)])


@pytest.fixture(params=["skeleton", "hyperscan"])
def chosen(request, monkeypatch):
    """Run a test with each engine."""
    if request.param == "hyperscan":
        pytest.importorskip("hyperscan")
    monkeypatch.setenv(engines.VARIABLE, request.param)
    return request.param


def read(data: bytes, *, hungry=lambda: False, metrics: bool = False, wanted: Wanted = WANTED) -> list[Line]:
    return list(scan.scan(from_bytes("log", data), wanted, hungry=hungry, metrics=metrics))


def an_assert(block: int, thread: int, *, prefix: str = "", line: int = 250, condition: str = "t >= 0 && t < n") -> str:
    place = f"{prefix}../aten/Loss.cu:{line}: kernel_2d: "
    return f"{place}block: [{block},0,0], thread: [{thread},0,0] Assertion `{condition}` failed."


def counted(lines: list[Line]) -> dict[tuple[object, ...], tuple[object, ...]]:
    """Return for each assertion of each rank: its lines, the first and the last one, and the values of its fields."""
    found: dict[tuple[object, ...], list[object]] = {}
    for line in lines:
        spans = WANTED.ranged(line.text) if WANTED.ranged else None
        assert spans, line.text
        (low, high), (start, stop) = spans["block"], spans["thread"]
        key = (line.rank, line.text[:low], line.text[stop:])
        entry = found.setdefault(key, [0, line.span.first, 0, set(), set()])
        repeat = line.repeat
        own = [tuple(map(int, line.text[a:b].split(","))) for a, b in ((low, high), (start, stop))]
        entry[0] += repeat.count if repeat else 1
        entry[2] = max(entry[2], repeat.last if repeat else line.span.last)
        entry[3] |= repeat.values["block"] if repeat else {own[0]}
        entry[4] |= repeat.values["thread"] if repeat else {own[1]}
    return {key: tuple(entry) for key, entry in found.items()}


def one_by_one(data: bytes) -> list[Line]:
    """Return the lines as they come where nothing is collapsed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repeats, "FIRST", len(data))
        patch.setattr(repeats, "FIRST_RANKS", len(data))
        return read(data, wanted=Wanted(WANTED.literals))


def test_only_lines_with_a_literal_come(chosen):
    """Lines that hold no literal are passed over, and line numbers stay those of the file."""
    data = b"step 1\nValueError: x\r\n\n\nstep 2\r 50%|#|\rKeyError: 'a'\r\nUserWarning: late"
    found = read(data)
    assert [(line.span.first, line.text) for line in found] == [
        (2, "ValueError: x"), (5, "KeyError: 'a'"), (6, "UserWarning: late"),
    ]  # fmt: skip
    assert all(data[line.offset :].startswith(line.text.encode()) for line in found)


def test_lines_follow_while_the_reader_is_hungry(chosen):
    """After a picked line every line comes until the reader has enough, across windows, blank ones too."""
    filler = b"step 1 loss=0.5\n" * (WINDOW // 16)
    block = b"Traceback (most recent call last):\n  File 'a.py'\n\n  x = 1\r\nend of it\nstep 2\n"
    data = filler[:-48] + block + filler
    open_for = [0]

    def hungry() -> bool:
        return open_for[0] > 0

    texts = []
    for line in scan.scan(from_bytes("log", data), WANTED, hungry=hungry, metrics=False):
        texts.append(line.text)
        open_for[0] = 4 if line.text.startswith("Traceback") else open_for[0] - 1
    assert texts == ["Traceback (most recent call last):", "  File 'a.py'", "", "  x = 1", "end of it"]


def test_of_many_channels_only_those_are_read_that_the_reader_waits_for(chosen):
    """While a traceback of one rank is open, the lines of other ranks are passed over, save for picked ones."""
    rows = [f"[rank{at % 40}]: step {at}" for at in range(20_000)]
    rows[400] = "[rank7]: Traceback (most recent call last):"
    rows[900] = "[rank9]: UserWarning: x"
    left = [0]
    texts = []
    hungry = lambda: {"rank7"} if left[0] > 0 else False  # noqa: E731
    for line in scan.scan(from_bytes("log", "\n".join(rows).encode()), WANTED, hungry=hungry, metrics=False):
        if line.rank == 7:
            left[0] = 50 if line.text.startswith("Traceback") else left[0] - 1
        texts.append((line.rank, line.text))
    followers = [(7, f"step {at}") for at in range(407, 20_000, 40)][:50]
    assert texts[0] == (7, "Traceback (most recent call last):")
    assert [text for text in texts[1:] if text[0] == 7] == followers
    assert [text for text in texts if text[0] != 7] == [(9, "UserWarning: x")]


def test_a_long_progress_bar_is_not_read_state_by_state(chosen):
    """Where all lines are wanted, a bar gives its ends and the states that hold a literal, and nothing twice."""
    states = [f"\r{at}%|" for at in range(5000)]
    states[2500] = "\rOSError: disk"
    found = read(("".join(states) + "\nnext\n").encode(), metrics=True)
    texts = [line.text for line in found]
    assert texts[:3] == ["0%|", "1%|", "2%|"]
    assert "OSError: disk" in texts
    assert texts[-2:] == ["4999%|", "next"]
    assert len(texts) == len(set(texts)) < 50


def test_windows_are_sampled_for_metrics(chosen):
    """A small log comes whole; of a large one some lines at the start, at a doubling stride, and most at both ends."""
    row = b"step 123456 loss=0.5\n"
    small = row * (sampling.WHOLE * WINDOW // len(row))
    assert len(read(small, metrics=True)) == len(small) // len(row)
    windows = 60
    data = row * (windows * WINDOW // len(row))
    lines = Counter(line.offset // WINDOW for line in read(data, metrics=True))
    assert {window for window, count in lines.items() if count > 4} == {
        *range(sampling.DENSELY), 8, 9, 11, 15, 23, 39, windows - 2, windows - 1,
    }  # fmt: skip
    assert lines[0] > 60
    assert lines.total() < 24 * (sampling.PER_KIND + 2) + 3 * sampling.PER_KIND_LAST


def test_a_sample_holds_the_rare_kinds_of_lines():
    """Among thousands of training lines the few validation lines are all in the sample, which is bounded."""
    rows = [f"step {at} loss=0.5" if at % 600 else f"val epoch {at} loss=0.7" for at in range(9000)]
    data = "\n".join(rows).encode()
    texts = [data[start:stop].decode() for start, stop in sampling.sample(data, sampling.Sampled.SOME)]
    assert [text for text in texts if "val" in text] == rows[::600]
    assert texts == sorted(texts, key=rows.index)
    assert len(texts) == 15 + sampling.PER_KIND
    told = sampling.sample(data, sampling.Sampled.SOME, {b"val"})
    assert [data[start:stop].decode() for start, stop in told] == rows[::600]
    words = ["".join(random.Random(at).choices("abcdef", k=12)) for at in range(5000)]
    assert len(sampling.sample("\n".join(words).encode(), sampling.Sampled.MORE)) == sampling.MOST_LAST


def test_lines_that_come_by_the_hundred_are_counted(chosen):
    """After the first hundred, lines that differ in numbers alone come as one, with an exact count."""
    rows = [f"step {at}: UserWarning: {at} is odd" for at in range(40_000)]
    rows[-50] = "step 9: KeyError: 'new'"
    done = scan.scan(from_bytes("log", "\n".join(rows).encode()), WANTED, hungry=lambda: False, metrics=False)
    lines = list(done)
    counts = [line.repeat.count if line.repeat else 1 for line in lines]
    assert sum(counts) == len(rows)
    assert len(lines) == repeats.FIRST + 3
    assert [line.span.first for line in lines] == sorted(line.span.first for line in lines)
    assert next(line.span.first for line in lines if "KeyError" in line.text) == len(rows) - 49
    assert max(line.repeat.last if line.repeat else 0 for line in lines) == len(rows)
    assert done.cuts == {scan.CUT_REPEATED}


def test_lines_that_speak_of_ranks_are_read_in_greater_number(chosen):
    """What each of a thousand ranks says is read, although it differs in numbers alone."""
    rows = [f"[Rank {at}] Watchdog Error {at * 7}" for at in range(1024)]
    assert len(read("\n".join(rows).encode())) == 1024


def test_lines_are_counted_with_what_was_wanted_after_them(chosen, monkeypatch):
    """A line after which the reader was hungry is counted where the same lines follow as before, else it is read."""
    monkeypatch.setattr(repeats, "FIRST", 10)
    rows = [f"{at}: UserWarning: x\n  warn({at})\nstep {at}\n" for at in range(100)]
    rows[70] = "70: UserWarning: x\n  other(70)\nstep 70\n"
    left = [0]
    lines = []
    for line in scan.scan(from_bytes("log", "".join(rows).encode()), WANTED, hungry=lambda: left[0] > 0, metrics=False):
        left[0] = 1 if "Warning" in line.text else 0
        lines.append(line)
    texts = [line.text for line in lines]
    assert texts == [
        *(text for at in range(10) for text in (f"{at}: UserWarning: x", f"  warn({at})")),
        "70: UserWarning: x", "  other(70)", "10: UserWarning: x", "  warn(10)",
    ]  # fmt: skip
    assert [(line.repeat.count, line.repeat.last) for line in lines if line.repeat] == [(89, 298)]


def test_lines_with_many_followers_are_never_counted_unread(chosen, monkeypatch):
    """A line after which the reader wanted many others, such as the head of a traceback, is always read."""
    monkeypatch.setattr(repeats, "FIRST", 10)
    rows = ["Traceback (most recent call last):", *"abcdef", "step 1"]
    left = [0]
    texts = []
    data = "\n".join(rows * 100).encode()
    for line in scan.scan(from_bytes("log", data), WANTED, hungry=lambda: left[0] > 0, metrics=False):
        left[0] = 6 if line.text.startswith("Traceback") else left[0] - 1
        texts.append(line.text)
    assert texts == rows[:-1] * 100


def test_what_is_counted_comes_before_what_is_new_and_before_another_run(chosen, monkeypatch):
    """Counted lines come late only between lines that were met before."""
    monkeypatch.setattr(repeats, "FIRST", 10)
    wanted = Wanted(WANTED.literals | {b"$ python"}, parting=frozenset({b"$ python"}))
    rows = [
        "1 Error", "$ python 1", *["2 Error"] * 12, "new Error", *["3 Error"] * 5, "$ python 2", *["4 Error"] * 5,
        "new Error", "5 Error",
    ]  # fmt: skip
    texts = [
        (line.text, line.repeat.count if line.repeat else 1) for line in read("\n".join(rows).encode(), wanted=wanted)
    ]
    assert texts[11:] == [
        ("2 Error", 3), ("new Error", 1), ("3 Error", 5), ("$ python 2", 1), ("new Error", 1), ("4 Error", 6),
    ]  # fmt: skip


def test_the_last_checkpoint_stands_for_those_that_are_counted(chosen, monkeypatch):
    """Of the latest lines of many windows the very last one is told."""
    monkeypatch.setattr(repeats, "FIRST", 3)
    wanted = Wanted(WANTED.literals, latest=frozenset({b"saved to "}))
    rows = [f"{at} saved to x" if at % 900 == 0 else f"step {at} is done" for at in range(300_000)]
    lines = read("\n".join(rows).encode(), wanted=wanted)
    assert len(lines) == 4
    assert lines[-1].text == f"{299_700} saved to x"


def test_a_value_that_is_not_finite_is_found_in_any_window(chosen):
    """The first nan comes although its window is no sample."""
    row = b"step 123456 loss=0.5\n"
    data = row * 400_000 + b"step 400001 loss=nan\n" + row * 400_000
    found = [line for line in read(data, metrics=True) if "nan" in line.text]
    assert [line.span.first for line in found] == [400_001]


def test_spam_is_one_line_with_exact_counts_and_ranges(chosen):
    """Assertions by the thousand come as few lines that carry count, first and last line, and every value."""
    rows = [an_assert(at // 512, at % 512) for at in range(20_000)]
    data = "\n".join(["step 1", *rows, "step 2", ""]).encode()
    found = read(data)
    assert len(found) < 5
    ((count, first, last, blocks, threads),) = counted(found).values()
    assert (count, first, last) == (20_000, 2, 20_001)
    assert blocks == {(at, 0, 0) for at in range(40)}
    assert threads == {(at, 0, 0) for at in range(512)}
    repeat = found[0].repeat
    assert repeat is not None
    assert (repeat.ranges["thread"].low, repeat.ranges["thread"].high) == ((0, 0, 0), (511, 0, 0))
    assert repeat.ranges["thread"].distinct == 512


def woven(seed: int) -> bytes:
    """Return assertions of several places, ranks and conditions, woven with each other and with ordinary lines."""
    rng = random.Random(seed)
    kinds = [
        {"line": 250}, {"line": 92}, {"line": 2500}, {"condition": "t >= 1 && t < n"},
        {"condition": "t >= 10 && t < n"},
        {"prefix": "[rank1]: "}, {"prefix": "[rank12]: "}, {"prefix": "[rank3]: ", "line": 92},
    ]  # fmt: skip
    ends = ["\n", "\r\n"] if rng.random() < 0.3 else ["\n"]
    rows = []
    while len(rows) < 4000:
        some = rng.sample(kinds, rng.randrange(1, 4))
        for at in range(rng.choice([3, 40, 900])):
            if rng.random() < 0.02:
                rows.append(f"step {at} loss=0.{at}")
            rows.append(an_assert(rng.randrange(12), rng.choice([at, at % 32]), **rng.choice(some)))
    text = "".join(row + rng.choice(ends) for row in rows)
    return text.encode() if rng.random() < 0.5 else text.rstrip().encode()


@pytest.mark.parametrize("seed", range(6))
def test_woven_spam_is_counted_as_if_read_one_by_one(chosen, seed):
    """Counts, places and values of every assertion of every rank are those that a reading line by line gives."""
    data = woven(seed)
    bulk, single = read(data), one_by_one(data)
    assert len(bulk) < len(single) / 4
    assert counted(bulk) == counted(single)


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_numbers_that_do_not_range_stay_apart(data):
    """Whatever digits differ outside of the ranged fields, their lines are never counted together."""
    number = st.sampled_from(["", "0", "1", "11", "101"])
    rows = data.draw(
        st.lists(st.tuples(number, number, number, number), min_size=1, max_size=4, unique=True).flatmap(
            lambda shapes: st.lists(st.tuples(st.sampled_from(shapes), st.integers(0, 999)), min_size=70, max_size=75)
        )
    )
    text = "".join(
        f"a{p}.cu:{q}: block: [{n // 9},{n % 9},0], thread: [{n},0,0] Assertion `x{r} > {s}y` failed.\n"
        for (p, q, r, s), n in rows
    ).encode()
    assert counted(read(text)) == counted(one_by_one(text))


def test_a_prefix_that_tells_only_the_time_does_not_keep_lines_apart(chosen):
    """Assertions behind timestamps are counted together."""
    rows = [
        an_assert(at % 7, at, prefix=f"2026-03-01 12:{at // 60 % 60:02d}:{at % 60:02d},{at % 1000:03d} ")
        for at in range(900)
    ]
    found = read("\n".join([*rows, ""]).encode())
    assert len(found) < 5
    assert sum(line.repeat.count if line.repeat else 1 for line in found) == 900


def test_several_assertions_on_one_line_are_not_collapsed(chosen):
    """Lines that hold more than one match come one by one, as each holds several events."""
    row = an_assert(1, 2) + an_assert(1, 3)
    found = read((row + "\n").encode() * 100)
    assert len(found) == 100
    assert all(line.repeat is None for line in found)


def test_lines_keep_the_order_of_the_file(chosen):
    """Collapsed lines stand where their first one stood, between the lines that are read by themselves."""
    rows = [*(an_assert(0, at) for at in range(900)), "UserWarning: x", *(an_assert(1, at) for at in range(9000))]
    rows.insert(100, "UserWarning: y")
    found = read(("\n".join(rows) + "\n").encode())
    assert [line.span.first for line in found] == sorted(line.span.first for line in found)
    assert [line.text[-1] for line in found if "Warning" in line.text] == ["y", "x"]


TEXTS = st.lists(
    st.sampled_from(
        ["step 1 loss=0.5", "Traceback (most recent call last):", "  File 'x'", "ValueError: 3", " nan", "loss=nan",
         "\r", "\n", "\n", "\n", "\r\n", "", "\x1b[31m", an_assert(1, 2), an_assert(3, 4),
         an_assert(3, 4, prefix="[rank1]: ")]
    ),
    max_size=60,
)  # fmt: skip


@given(pieces=TEXTS, times=st.sampled_from([1, 1, 30, 400]), chunk=st.integers(1, 5000), metrics=st.booleans())
@settings(max_examples=150, deadline=None)
def test_neither_engine_nor_chunks_change_the_lines(pieces, times, chunk, metrics):
    """The lines depend on the bytes alone: not on the engine, not on how the bytes came."""
    pytest.importorskip("hyperscan")
    data = "".join(pieces).encode() * times
    results = []
    for name, size in (("skeleton", len(data) or 1), ("hyperscan", len(data) or 1), ("skeleton", chunk)):
        left = [0]
        lines = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(engines.VARIABLE, name)
            source = from_chunks("log", [data[at : at + size] for at in range(0, len(data), size)])
            for line in scan.scan(source, WANTED, hungry=lambda left=left: left[0] > 0, metrics=metrics):
                left[0] = 3 if line.text.startswith("Traceback") else left[0] - 1
                lines.append(line)
        results.append(lines)
    assert results[0] == results[1] == results[2]


@given(data=st.binary(max_size=3000))
@settings(max_examples=100, deadline=None)
def test_no_bytes_raise(data):
    """Any bytes give lines that lie in the file and never go back."""
    firsts = [line.span.first for line in read(data, metrics=True)]
    assert firsts == sorted(firsts)
    assert all(1 <= first <= data.count(b"\n") + 1 for first in firsts)


def test_a_line_of_megabytes_is_cut_around_what_it_tells(chosen):
    """A very long line comes as the part around its first literal, and the cut is told."""
    data = b"x" * 150_000 + b" KeyError: 'a' " + b"y" * 40_000 + b"\nnext\n"
    done = scan.scan(from_bytes("log", data), WANTED, hungry=lambda: False, metrics=False)
    (line,) = done
    assert "KeyError: 'a'" in line.text
    assert len(line.text) <= scan.LONGEST
    assert data[line.offset :].startswith(line.text[:100].encode())
    assert done.cuts == {scan.CUT_LONG}


def test_memory_does_not_grow_with_the_input():
    """Twenty times the lines, all different, take no more memory."""

    def peak(megabytes: int) -> int:
        rng = random.Random(0)

        def chunks():
            for _ in range(megabytes * 4):
                yield b"".join(b"request %s done\n" % rng.randbytes(20).hex().encode() for _ in range(4600))

        tracemalloc.start()
        for _ in scan.scan(from_chunks("log", chunks()), WANTED, hungry=lambda: False, metrics=False):
            pass
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    assert peak(6) < 45_000_000


def test_few_equal_lines_stay_apart(chosen):
    """Below the bound of a dense window every assertion comes by itself."""
    data = "\n".join(an_assert(0, at) for at in range(engines.DENSE - 1)).encode()
    assert len(read(data)) == engines.DENSE - 1
    assert spam.FEW < engines.DENSE


def test_patterns_that_are_sampled_pick_no_lines():
    """No metric picks the lines that hold it, whether it stands on one line or in a table of several."""
    sampled = {one.encode() for row in all_patterns().rows if row.sampled for one in row.literals}
    assert b"loss" in sampled
    assert b"loss" not in Wanted.of([], all_patterns().rows).all
