"""The two engines find the same segments, and those are the ones that hold a literal."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errtriage import user_cache
from errtriage.scan import engines, hyperscan_database, words
from errtriage.scan.engines import Dense, SkeletonEngine, engine
from errtriage.scan.hyperscan_engine import HyperscanEngine
from errtriage.scan.segments import first_hit
from errtriage.scan.wanted import Wanted, is_nonfinite

LITERALS = frozenset(
    text.encode()
    for text in (
        "Error", "Traceback (most recent call last)",  "Warning:",
        " Assertion `", "[Errno 28]", "conv2d", "exit code -9",
        "CUDA error: out of memory", "Xid (PCI", "10.0.0.1", "错误", ">= 0 &&", "OOM-kill", "mostly", "Loss is nan",
        "rank", "a1b", "Signal 9", "9000",
    )
)  # fmt: skip
WANTED = Wanted(
    LITERALS,
    guarded={b"torch/": rb"W\d{4} \d\d:", b"E1": b"x"},
    latest=frozenset({b"saved to ", b"checkpoint"}),
    bulk=frozenset({b" Assertion `", b"rank"}),
)

# Pieces of which many are near misses: literals cut, with digits pushed in, words that begin like nan or inf.
PIECES = st.sampled_from(
    [
        *(literal.decode() for literal in LITERALS), *(literal.decode()[1:] for literal in LITERALS),
        *(literal.decode()[:-1] for literal in LITERALS), "Err1or", "1", "23", " ", "=", ":", "loss", "step", " nan",
        "nan", "=inf", "info", " inf ", "-inf", "\x1b[31mnan\x1b[0m", "nano", " inference", "\r", "\n", "\n", "\r\n",
        "é", "：", "，", "█", "\x00", "block: [", "word ", "Tr4ceback", "conv3d", "most1ly", "a2b", "ab",
        "W0312 12:", "W031 12:", "W0312 12: torch/", "torch/", "E1", "saved to ", "checkpoint", "saved", "xE1y",
        "exit code -19",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=60).map("".join)


def segments(data: bytes) -> list[tuple[int, int]]:
    """Return the segments that hold a literal, and the last one of those that hold a latest one, the slow way."""
    found, last, start = [], [], 0
    for segment in re.split(rb"[\r\n]", data):
        if WANTED.holds(segment, set(WANTED.all) - WANTED.latest):
            found.append((start, start + len(segment)))
        if WANTED.holds(segment, WANTED.latest):
            last = [(start, start + len(segment))]
        start += len(segment) + 1
    return sorted({*found, *last})


def sparse(data: bytes, engine: SkeletonEngine | HyperscanEngine) -> list[tuple[int, int]]:
    """Return what an engine finds, also where it calls the window dense."""
    found = engine.find(data)
    if not isinstance(found, Dense):
        return found
    assert b"\n".join(found.segments) == data.replace(b"\r", b"\n")
    places, start = [], 0
    for at, (segment, skeleton) in enumerate(zip(found.segments, found.skeletons, strict=True)):
        told = found.hot.get(skeleton)
        if at == found.latest or (told is not None and WANTED.holds(segment, told.picking)):
            places.append((start, start + len(segment)))
        start += len(segment) + 1
    return places


@pytest.fixture(scope="module")
def hyperscan() -> HyperscanEngine:
    pytest.importorskip("hyperscan")
    return HyperscanEngine(WANTED)


@given(data=TEXTS.map(str.encode))
@settings(max_examples=400, deadline=None)
@pytest.mark.parametrize("few", [0, engines._FEW_BYTES])
def test_skeletons_find_exactly_the_segments_that_hold_a_literal(few, data):
    """The standard library's engine finds what a search of every segment for every literal finds, by either index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "_FEW_BYTES", few)
        assert sparse(data, SkeletonEngine(WANTED)) == segments(data)


@given(data=TEXTS.map(str.encode), more=TEXTS.map(str.encode))
@settings(max_examples=400, deadline=None)
@pytest.mark.parametrize("few", [0, 40, engines._FEW_BYTES])
def test_both_engines_find_the_same(hyperscan, few, data, more):
    """Hyperscan and skeletons agree on every window, whatever they met before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "_FEW_BYTES", few)
        skeleton = SkeletonEngine(WANTED)
    for window in (data, more, data):
        assert sparse(window, skeleton) == sparse(window, hyperscan) == segments(window)


def test_text_of_which_no_line_comes_twice_is_searched_by_its_words():
    """After some windows of new lines the engine looks at words, and finds the same."""
    rng = random.Random(1)
    skeleton = SkeletonEngine(WANTED)
    literals = [literal.decode() for literal in sorted(LITERALS)]
    by_words = 0
    for _ in range(40):
        rows = ["".join(rng.choices("abcxyz ,=", k=30)) + rng.choice(["", "7", " nan", "\r"]) for _ in range(300)]
        for at in rng.sample(range(300), rng.choice([0, 5, 90])):
            rows[at] = rng.choice(["", "x", " "]) + rng.choice(literals) + rng.choice(["", "y", " "])
        data = "\n".join(rows).encode()
        by_words += skeleton._by_words > 0
        assert sparse(data, skeleton) == segments(data)
    assert by_words > 20


@given(data=st.binary(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_searched(hyperscan, data):
    """No bytes make an engine raise, and both agree on them."""
    assert sparse(data, SkeletonEngine(WANTED)) == sparse(data, hyperscan) == segments(data)


@pytest.mark.parametrize("name", ["skeleton", "hyperscan"])
@pytest.mark.parametrize(("hits", "dense"), [(engines.DENSE - 1, False), (engines.DENSE, True)])
def test_a_window_is_dense_from_its_64th_segment_on(monkeypatch, name, hits, dense):
    """Both engines call a window dense by the segments with a literal of ranged lines, not by the places of any."""
    if name == "hyperscan":
        pytest.importorskip("hyperscan")
    monkeypatch.setenv(engines.VARIABLE, name)
    data = b"rank rank rank Warning: 1\nError 2\n" * hits
    assert isinstance(engine(WANTED, None).find(data), Dense) is dense


@pytest.mark.parametrize("engine_type", [SkeletonEngine, HyperscanEngine])
def test_words_that_never_repeat_do_not_hide_a_literal(engine_type):
    """Text of which no word comes twice is searched another way, with the same result."""
    if engine_type is HyperscanEngine:
        pytest.importorskip("hyperscan")
    letters = "qwrtyuiopghjklzx"
    noise = "\n".join("".join(letters[int(digit, 16)] for digit in f"{at * 7919:08x}") for at in range(20_000))
    data = (noise + "\nsomeIndexErrorhere\n").encode()
    assert [data[a:b] for a, b in sparse(data, engine_type(WANTED))] == [b"someIndexErrorhere"]


def test_what_was_forgotten_is_found_again(monkeypatch):
    """Clearing the remembered skeletons at their bound changes nothing."""
    monkeypatch.setattr(engines, "_MOST_BYTES", 300)
    monkeypatch.setattr(words, "_MOST", 3)
    monkeypatch.setattr(engines, "_FEW_BYTES", 0)
    skeleton = SkeletonEngine(WANTED)
    for at in range(200):
        data = f"{'x' * (at % 17)} line\n{'y' * (at % 13)} Error\n".encode()
        assert sparse(data, skeleton) == segments(data)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("loss=nan", True), ("loss: nan,", True), ("{'loss': nan}", True), ("loss -inf", True), ("tensor(nan)", True),
        ("loss NaN", True), ("损失：nan。", True),
        ("\x1b[1;31mnan\x1b[0m", True), ("x=[inf]", True), ("x=Infinity", True), ("more info", False),
        ("in nanoseconds", False), ("banana nan_to_num", False), ("an inference", False), ("tenant=nano", False),
        ("inf", False), ("nan2", False),
    ],
)  # fmt: skip
def test_a_value_that_is_not_finite_is_no_part_of_a_word(text, expected):
    """Values such as nan and inf count only behind a sign that stands before values, and not within words."""
    assert is_nonfinite(text.encode()) is expected
    assert bool(segments(b"x\n" + text.encode())) is expected


def test_the_engine_is_chosen_by_size_and_environment(monkeypatch):
    """Small inputs never pay for hyperscan; the environment has the last word."""
    monkeypatch.delenv(engines.VARIABLE, raising=False)
    assert engine(WANTED, engines.FAST_FROM - 1).name == engine(WANTED, None).name == "skeleton"
    monkeypatch.setenv(engines.VARIABLE, "skeleton")
    assert engine(WANTED, engines.FAST_FROM).name == "skeleton"
    pytest.importorskip("hyperscan")
    monkeypatch.setenv(engines.VARIABLE, "auto")
    assert engine(WANTED, engines.FAST_FROM).name == "hyperscan"


def test_without_hyperscan_large_inputs_are_read_all_the_same(monkeypatch):
    """A missing or broken wheel leaves the standard library's engine."""
    monkeypatch.setitem(__import__("sys").modules, "hyperscan", None)
    monkeypatch.setenv(engines.VARIABLE, "auto")
    assert engine(WANTED, engines.FAST_FROM).name == "skeleton"
    monkeypatch.setenv(engines.VARIABLE, "hyperscan")
    with pytest.raises(ImportError):
        engine(WANTED, None)


def test_the_first_hit_of_a_long_segment_is_its_first_literal():
    """A line that is too long is read around the first place where a literal stands."""
    assert first_hit(b"x" * 100 + b" Signal 9 Error", WANTED) == 101
    assert first_hit(b"x" * 100, WANTED) == 0


def test_a_stored_database_finds_what_a_new_one_does(monkeypatch, tmp_path):
    """A database is compiled once; one that was kept, or can not be read, gives the same segments."""
    pytest.importorskip("hyperscan")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setattr(user_cache, "_at_home", lambda _: str(tmp_path))
    monkeypatch.setattr(hyperscan_database, "_MANY", 1)
    data = b"\n".join(
        piece for literal in LITERALS for piece in (b"x" + literal, literal[1:], b"loss=nan", b"checkpoint")
    )
    first = sparse(data, HyperscanEngine(WANTED))
    (stored,) = tmp_path.rglob("hyperscan.marshal")
    with monkeypatch.context() as patch:
        patch.setattr(hyperscan_database, "_expressions", lambda _: pytest.fail("compiled again"))
        assert sparse(data, HyperscanEngine(WANTED)) == first == segments(data)
    stored.write_bytes(stored.read_bytes()[:-40])
    assert sparse(data, HyperscanEngine(WANTED)) == first


def test_only_literals_that_hold_no_other_one_are_looked_for():
    """Of literals that hold each other the shortest picks for all; those that are counted or latest stay."""
    wanted = Wanted(
        frozenset({b"Error", b"KeyError: 'a'", b"rror", b"mostly", b"ab", b"abc"}),
        nonfinite=False,
        latest=frozenset({b"Error saved"}),
        bulk=frozenset({b"mostly"}),
    )
    found = {
        re.sub(rb"\\x(..)", lambda sign: bytes.fromhex(sign[1].decode()), expression): number
        for expression, number in hyperscan_database._expressions(wanted).items()
    }
    plain, bulk, latest = hyperscan_database.PLAIN, hyperscan_database.BULK, hyperscan_database.LATEST
    assert found == {b"ab": plain, b"abc": plain + 1, b"rror": plain + 2, b"mostly": bulk, b"Error saved": latest}
