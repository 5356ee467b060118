"""Blocks that come again and again are counted, and the report is the one that reading each of them gives."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from case_files import LOGS
from errtriage import passes, reading
from errtriage.knowledge import load_knowledge
from errtriage.knowledge.candidates import Candidates
from errtriage.model import Event
from errtriage.parallel import crew, pieces
from errtriage.render.json import to_dict
from errtriage.scan import repertoire
from errtriage.scan.refrains import Refrains
from errtriage.sources import Source, from_bytes, from_chunks, from_file, parts, windows
from errtriage.triage import triage_sources

CORPUS = sorted(LOGS.rglob("*.log"))
NEVER = 1 << 60
WINDOW, BLOCK = 4_000, 2

SHORT = """Traceback (most recent call last):
  File "serve.py", line 31, in get
    return self.cache[key]
KeyError: 'number-of-sample-7777'
"""
CHAINED = """Traceback (most recent call last):
  File "train.py", line 5, in <module>
    f()
ValueError: bad 55

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "train.py", line 9, in <module>
    g()
RuntimeError: [Rank 3] stopped at 123
"""
MEMORY = """Traceback (most recent call last):
  File "train.py", line 77, in main
    loss = f(x, 12)
RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 15.78 GiB total capacity; 14.56 GiB already allocated; 38.44 MiB free; 14.80 GiB reserved in total by PyTorch)
"""  # noqa: E501
WORKER = """Traceback (most recent call last):
  File "train.py", line 9, in <module>
    main(3)
KeyError: Caught KeyError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "data.py", line 31, in __getitem__
    return self.items[key]
KeyError: 99

"""
WARNING = """a.py:58: UserWarning: something is long
and goes on for 100 lines
and more,
and more (
and more:
and
  x = warn(5)
"""
NATIVE = """terminate called after throwing an instance of 'c10::Error'
  what():  CUDA error: device-side assert triggered 12
Exception raised from f at ../c10/cuda/CUDAException.cpp:44 (most recent call first):
""" + "".join(f"frame #{at}: foo + 0x57 (0x7f6fbbde0000 in libc10.so)\n" for at in range(9))
THREAD = """Exception in thread Thread-5:
Traceback (most recent call last):
  File "a.py", line 3, in run
    f(x)
ValueError: oops 3
"""
PLAIN_WARNING = "a.py:5: UserWarning: lonely 5\n"
BLOCKS = (SHORT, CHAINED, MEMORY, WORKER, WARNING, NATIVE, THREAD, PLAIN_WARNING)
NOISE = (
    "INFO nothing", "step=5 loss=2.31 acc=0.5", "  Got 5 things", "ERROR worker failed with code 5 somewhere", "",
    "RuntimeError: CUDA error: an illegal memory access 700", "$ python train.py --x 3", "Saving to x_5.pt",
    "    indented text 5", "2026-01-01 10:00:55 ERROR trainer: lost 55 things", "Epoch 3: done", "iter 5: loss nan",
    "During handling of the above exception, another exception occurred:",
)  # fmt: skip


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Small windows, and blocks that are known after three readings; gives how many were counted, call by call."""
    monkeypatch.setattr(windows, "WINDOW", WINDOW)
    monkeypatch.setattr(repertoire, "READ", 3)
    monkeypatch.setattr(repertoire, "READ_ALIKE", 2)
    counted: list[int] = []
    told = Refrains.told

    def telling(refrains: Refrains) -> list[Event]:
        events = told(refrains)
        counted.extend(event.repeat.count for event in events if event.repeat is not None)
        return events

    monkeypatch.setattr(Refrains, "told", telling)
    return counted


def said(sources: Sequence[Source], *, many: int = 0, side_by_side: bool = False) -> str:
    """All that a report says, less how long it took; blocks are learnt once there were so many."""
    before, passes.MANY = passes.MANY, many
    try:
        told = to_dict(triage_sources(sources, side_by_side=side_by_side))
    finally:
        passes.MANY = before
    told["stats"].pop("seconds")
    return json.dumps(told, sort_keys=True, indent=1)


def assert_same(data: bytes) -> None:
    """A log tells the same whether its blocks are counted or read."""
    assert said([from_bytes("log", data)]) == said([from_bytes("log", data)], many=NEVER)


def renumbered(draw: random.Random, block: str) -> list[str]:
    """The lines of a block with other numbers in those that are no frames."""

    def other(row: str) -> str:
        return "".join(str(draw.randrange(10)) if sign.isdigit() else sign for sign in row)

    return [row if 'File "' in row or row.startswith("a.py") else other(row) for row in block.splitlines()]


def alone(draw: random.Random, block: str) -> list[str]:
    """One block after the other."""
    return [row for _ in range(90) for row in renumbered(draw, block)]


def logged(draw: random.Random, block: str) -> list[str]:
    """As a logger writes them, each with a time."""
    rows = [[f"2026-03-01 10:10:{draw.randrange(10, 60)},123 ERROR w: it failed", *renumbered(draw, block)]
            for _ in range(90)]  # fmt: skip
    return [row for some in rows for row in some]


def by_ranks(draw: random.Random, block: str) -> list[str]:
    """From four ranks, block by block."""
    ranks = [draw.randrange(4) for _ in range(160)]
    return [f"[rank{rank}]: {row}" for rank in ranks for row in renumbered(draw, block)]


def woven(draw: random.Random, block: str) -> list[str]:
    """From three ranks, some lines at a time."""
    rest = [[f"[rank{rank}]: {row}" for _ in range(40) for row in renumbered(draw, block)] for rank in range(3)]
    rows: list[str] = []
    while any(rest):
        some = draw.choice([one for one in rest if one])
        count = draw.randrange(1, 40)
        rows += some[:count]
        del some[:count]
    return rows


@pytest.mark.parametrize("arranged", [alone, logged, by_ranks, woven])
@pytest.mark.parametrize(
    "block", BLOCKS, ids=["short", "chained", "memory", "worker", "warning", "native", "thread", "one-line"]
)
def test_the_report_is_the_same(
    eager: list[int], block: str, arranged: Callable[[random.Random, str], list[str]]
) -> None:
    """Blocks of every kind, in every order of their lines, tell what they tell when they are read one by one."""
    assert_same("\n".join([*arranged(random.Random(1), block), "INFO the end", ""]).encode())


@pytest.mark.parametrize("arranged", [alone, logged, by_ranks])
def test_most_blocks_are_not_read(eager: list[int], arranged: Callable[[random.Random, str], list[str]]) -> None:
    """Of tracebacks that differ in a number alone most are counted."""
    rows = arranged(random.Random(2), SHORT)
    said([from_bytes("log", "\n".join([*rows, ""]).encode())])
    assert sum(eager) > 0.6 * sum(row.endswith("(most recent call last):") for row in rows)


def test_numbers_that_tell_something_are_read(eager: list[int]) -> None:
    """Messages whose numbers decide what failed are read, each of them, unless all numbers are the same."""
    draw = random.Random(3)
    assert_same("\n".join([*(row for _ in range(60) for row in renumbered(draw, MEMORY)), ""]).encode())
    assert sum(eager) < 10
    eager.clear()
    assert_same(MEMORY.encode() * 90)
    assert sum(eager) > 60


def test_each_run_has_its_own_first_block(eager: list[int]) -> None:
    """Where a program is started again, what was counted belongs to the run before."""
    run = "$ python train.py\n" + CHAINED * 40
    assert_same(run.encode() * 3)
    assert sum(eager) > 60


def test_known_blocks_before_unknown_lines_are_read_after_all(eager: list[int]) -> None:
    """A block that goes on where others like it ended is told with what it goes on with."""
    block = SHORT.replace("KeyError: 'number-of-sample-7777'", "ValueError: bad shape")
    assert_same((block * 40 + block + "  Got 5 things\n" + block * 40).encode())


def arrangement(seed: int) -> bytes:
    """A made-up log: some kinds of blocks and some noise, plain or by ranks, woven or not."""
    draw = random.Random(seed)
    blocks, noise = draw.sample(BLOCKS, draw.randrange(1, 4)), draw.sample(NOISE, draw.randrange(1, 5))
    share, ranks, style = (
        draw.choice([0, 0.03, 0.2]),
        draw.choice([2, 3, 8, 40]),
        draw.choice(["plain", "ranks", "woven"]),
    )
    strands: list[list[str]] = [[] for _ in range(ranks)]
    rows: list[str] = []
    while sum(map(len, rows)) < 9_000:
        some = renumbered(draw, draw.choice(blocks)) if draw.random() < 0.5 else draw.choice(blocks).splitlines()
        while draw.random() < share:
            some.insert(draw.randrange(len(some) + 1), draw.choice(noise))
        rank = draw.randrange(ranks)
        some = some if style == "plain" else [f"[rank{rank}]: {row}" for row in some]
        strands[rank] += some
        rows += some
    if style == "woven":
        rows = []
        while any(strands):
            strand = draw.choice([one for one in strands if one])
            count = draw.randrange(1, 12)
            rows += strand[:count]
            del strand[:count]
    return "\n".join([*rows, ""]).encode()


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1 << 30))
def test_made_up_logs_tell_the_same(eager: list[int], seed: int) -> None:
    """Blocks and noise in any order, of any number of ranks, tell what they tell when each line is read."""
    assert_same(arrangement(seed))


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1 << 30), sizes=st.lists(st.integers(1, 5_000), min_size=1, max_size=9))
def test_how_bytes_arrive_does_not_matter(eager: list[int], seed: int, sizes: list[int]) -> None:
    """Whatever the pieces that a log comes in, its blocks are counted alike."""
    data, chunks = arrangement(seed), []
    rest = data
    while rest:
        size = sizes[len(chunks) % len(sizes)]
        chunks.append(rest[:size])
        rest = rest[size:]
    assert said([from_chunks("log", chunks)]) == said([from_bytes("log", data)])


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in CORPUS[::8]])
def test_logs_of_the_corpus_tell_the_same(eager: list[int], path: Path) -> None:
    """A log of the corpus over and over again tells the same whether its blocks are counted or read."""
    data = path.read_bytes()[:12_000]
    assert_same((data + b"\n" * (not data.endswith(b"\n"))) * 6)


@pytest.mark.parametrize("seed", range(3))
def test_parts_tell_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, eager: list[int], seed: int) -> None:
    """A large file that workers read in parts has the same counts."""
    for module in (windows, parts):
        monkeypatch.setattr(module, "WINDOW", WINDOW)
        monkeypatch.setattr(module, "BLOCK", BLOCK)
    for module in (parts, pieces):
        monkeypatch.setattr(module, "BLOCK_BYTES", BLOCK * WINDOW)
    monkeypatch.setattr(pieces, "PARTED_FROM", 2 * BLOCK * WINDOW)
    monkeypatch.setenv(reading.VARIABLE, "3")
    monkeypatch.setattr(crew, "may_fork", lambda: hasattr(os, "fork"))
    log = tmp_path / "train.log"
    log.write_text("\n".join([*alone(random.Random(seed), CHAINED), *alone(random.Random(seed), SHORT), ""]))
    assert len(pieces.pieces_of([from_file(log)])) > 2
    read_alone = said([from_file(log)], many=NEVER)
    assert said([from_file(log)]) == read_alone
    assert said([from_file(log)], side_by_side=True) == read_alone


def test_the_index_of_candidates_finds_what_a_search_finds() -> None:
    """Of an event's fields the index gives just those rows whose needed literals they hold."""
    knowledge = load_knowledge()
    rows = knowledge._plain("exception")
    index = Candidates(rows)
    messages = [row for path in CORPUS[::4] for row in path.read_text("utf-8", "replace").splitlines()[-3:]]
    for message in messages:
        fields = {"type": message.partition(":")[0], "message": message, "origin": "traceback"}
        assert list(index.of(fields)) == [
            number
            for number, (_, needs, _) in enumerate(rows)
            if all(any(one in fields.get(field, "") for one in literals) for field, literals in needs)
        ]
