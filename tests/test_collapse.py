"""Equal events become one group with count, span, ranges and ranks; unlike ones stay apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errtriage.collapse import Collapser, collapse
from errtriage.model import Event, Frame, Line, Range, Repeat, Span
from errtriage.patterns.device_assert import DEVICE_ASSERT
from errtriage.scrub import scrubbed
from errtriage.values import replace

NLL = "t >= 0 && t < n_classes"
BCE = "input_val >= zero && input_val <= one"
USER = Frame(file="train.py", line=12, function="step")
LIBRARY = Frame(file="/site-packages/torch/nn/functional.py", line=3, function="f", user=False)


def make(kind: str = "exception", first: int = 1, frames: tuple[Frame, ...] = (), **fields: str) -> Event:
    return Event(kind=kind, fields=fields, span=Span(first=first, last=first), text="", source="log", frames=frames)


def asserts(count: int, condition: str = NLL, line: int = 250, first: int = 1) -> list[Event]:
    """Return assertions of `count` threads in blocks of 32, one a line."""
    found = []
    for number in range(count):
        text = (
            f"/p/Loss.cu:{line}: f: block: [{number // 32},0,0], thread: [{number % 32},0,0] "
            f"Assertion `{condition}` failed."
        )
        at = first + number
        found += DEVICE_ASSERT.parse(Line(span=Span(first=at, last=at), text=text, source="log"))
    return found


def test_spam_is_one_group() -> None:
    """Thousands of assertion lines are one group with exact count, span and ranges."""
    (group,) = collapse(asserts(5000))
    assert group.count == 5000
    assert group.span == Span(first=1, last=5000)
    assert group.ranges["block"] == Range(low=(0, 0, 0), high=(156, 0, 0), distinct=157)
    assert group.ranges["thread"] == Range(low=(0, 0, 0), high=(31, 0, 0), distinct=32)
    assert group.event.span.first == 1


def test_distinct_assertions_stay_apart() -> None:
    """Another condition, another line or another file is another group, however woven."""
    woven = [
        event for pair in zip(asserts(50), asserts(50, BCE, 94), asserts(50, NLL, 251), strict=True) for event in pair
    ]
    groups = collapse(woven)
    assert [(group.event.fields["condition"], group.event.fields["line"], group.count) for group in groups] == [
        (NLL, "250", 50),
        (BCE, "94", 50),
        (NLL, "251", 50),
    ]


def test_bulk_counts() -> None:
    """A bulk count adds its lines, ranges and ranks to those of single events."""
    first, second, *_ = asserts(2)
    bulk = Repeat(
        count=400,
        last=900,
        ranges={
            "block": Range(low=(0, 0, 0), high=(9, 0, 0), distinct=10),
            "thread": Range(low=(0, 0, 0), high=(511, 0, 0), distinct=300),
        },
        ranks=(3, 5),
    )
    (group,) = collapse([first, replace(second, repeat=bulk)])
    assert group.count == 401
    assert group.span == Span(first=1, last=900)
    assert group.ranges["thread"] == Range(low=(0, 0, 0), high=(511, 0, 0), distinct=300)
    assert group.ranges["block"].high == (9, 0, 0)
    assert group.ranks == (3, 5)


def test_bulk_counts_of_other_values_add_up() -> None:
    """Distinct values of bulk counts that do not overlap are summed."""
    ranges = [Range(low=(low, 0, 0), high=(low + 9, 0, 0), distinct=10) for low in (100, 200)]
    one = asserts(1)[0]
    events = [replace(one, repeat=Repeat(count=10, last=50, ranges={"thread": each})) for each in ranges]
    (group,) = collapse(events)
    assert group.ranges["thread"] == Range(low=(0, 0, 0), high=(209, 0, 0), distinct=21)


def test_bulk_counts_that_name_their_values() -> None:
    """Values that a bulk count names are counted once, also where single events hold them too."""
    values = {"thread": frozenset((n, 0, 0) for n in range(64))}
    box = {"thread": Range(low=(0, 0, 0), high=(63, 0, 0), distinct=64)}
    first, second, *_ = asserts(2)
    (group,) = collapse([first, replace(second, repeat=Repeat(count=64, last=70, ranges=box, values=values))])
    assert group.ranges["thread"] == Range(low=(0, 0, 0), high=(63, 0, 0), distinct=64)


def test_ranges_are_boxes() -> None:
    """Low and high are the corners of the box of all values, dimension by dimension."""
    one = asserts(1)[0]
    events = [replace(one, fields={**one.fields, "block": block}) for block in ("0,7,0", "5,1,2", "3,0,9")]
    (group,) = collapse(events)
    assert group.ranges["block"] == Range(low=(0, 0, 0), high=(5, 7, 9), distinct=3)


def test_ranks_hosts_channels() -> None:
    """One traceback of many ranks is one group that names all of them once."""
    event = make(type="RuntimeError", message="NCCL error on rank 0", frames=(LIBRARY, USER))
    events = [
        replace(
            event,
            rank=rank,
            host=f"node{rank // 2}",
            channel=f"rank{rank}",
            fields={**event.fields, "message": f"NCCL error on rank {rank}"},
        )
        for rank in (3, 1, 0, 2, 1)
    ]
    (group,) = collapse(events)
    assert group.ranks == (0, 1, 2, 3)
    assert group.hosts == ("node1", "node0")
    assert group.channels == ("rank3", "rank1", "rank0", "rank2")
    assert group.count == 5
    assert group.event.fields["message"] == "NCCL error on rank 3"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("shape [8, 3, 224] is invalid", "shape [4, 224] is invalid"),
        ("object at 0x7f00aa failed", "object at 0x7f00bb failed"),
        ("can not open /tmp/tmpab12/x.pt", "can not open /tmp/tmpzz99/x.pt"),
        ("id 123e4567-e89b-12d3-a456-426614174000 lost", "id 00000000-e89b-12d3-a456-426614174abc lost"),
        ("Tried to allocate 20.00 MiB (GPU 0)", "Tried to allocate 1.50 MiB (GPU 3)"),
    ],
)
def test_scrubbed_messages_are_equal(one: str, other: str) -> None:
    """Messages that differ by sizes, addresses, ids and temporary names are the same; the first is kept."""
    (group,) = collapse([make(type="E", message=one), make(type="E", message=other, first=9)])
    assert (group.count, group.event.fields["message"]) == (2, one)


def test_unlike_exceptions_stay_apart() -> None:
    """Another type, another wording or another place in the user's code is another group."""
    events = [
        make(type="ValueError", message="bad value", frames=(USER,)),
        make(type="TypeError", message="bad value", frames=(USER,)),
        make(type="ValueError", message="bad sample", frames=(USER,)),
        make(type="ValueError", message="bad value", frames=(replace(USER, line=13),)),
        make(type="ValueError", message="bad value", frames=(replace(USER, line=13), LIBRARY)),
        make(type="SystemExit", message="1"),
        make(type="SystemExit", message="137"),
    ]
    assert [group.count for group in collapse(events)] == [1, 1, 1, 2, 1, 1]


def test_attempts_stay_apart() -> None:
    """The same event of another attempt is another group."""
    event = make(type="ValueError", message="x")
    assert len(collapse([event, replace(event, attempt=1)])) == 2


def test_parents() -> None:
    """A group knows the groups that its members were wrapped into, and by what relation."""
    outer = make(type="RuntimeError", message="Caught ValueError in DataLoader worker process 1.", first=1)
    again = replace(outer, fields={**outer.fields, "message": "Caught ValueError in DataLoader worker process 2."})
    inner = replace(make(type="ValueError", message="bad", first=5), parent=outer, relation="worker")
    groups = collapse([outer, inner, again, replace(inner, parent=again)])
    assert [group.count for group in groups] == [2, 2]
    assert groups[1].parents == (groups[0],)
    assert groups[1].relation == "worker"


def test_circles_of_parents_end() -> None:
    """Exceptions that wrap one another in turn give groups, not an endless chain."""
    one, two = make(type="A", message="a"), make(type="B", message="b")
    events = [one, replace(two, parent=one), replace(one, parent=two), replace(one, parent=one)]
    assert [group.count for group in collapse(events)] == [3, 1]


def test_order_and_sources() -> None:
    """Groups stand in the order of their first lines, source by source; another source does not move the span."""
    late, early = make(type="L", message="l", first=9), make(type="E", message="e", first=2)
    other = replace(early, source="other", span=Span(first=700, last=700))
    groups = collapse([late, early, other])
    assert [(group.event.fields["type"], group.count) for group in groups] == [("E", 2), ("L", 1)]
    assert groups[0].span == Span(first=2, last=2)


def test_text_variants() -> None:
    """Lines of text that differ by a number stay apart while they are few, so that an entry can look for one."""
    few = [make("text", message=f"scale to {2**n}", first=n + 1) for n in range(10)]
    assert len(collapse(few)) == 10
    many = collapse([make("text", message=f"scale to {n}", first=n + 1) for n in range(10_000)])
    assert len(many) == 32
    assert sum(group.count for group in many) == 10_000


def test_told_ranks() -> None:
    """A watchdog's or launcher's line counts for the rank that it tells of."""
    events = [make("launcher", what="child_failed", exitcode="-6", rank=str(rank)) for rank in range(4)]
    (group,) = collapse(events)
    assert group.ranks == (0, 1, 2, 3)


def test_not_collapsed() -> None:
    """Metrics, progress and versions are not collapsed."""
    assert collapse([make("metric", name="loss"), make("progress"), make("environment", name="torch")]) == ()


def test_bound() -> None:
    """Beyond the bound new groups are dropped and said to be cut, while known ones go on counting."""
    collapser = Collapser(limit=100)
    for number in range(1000):
        collapser.add(make(type="E", message="word " + "x" * number))
    collapser.add(make(type="E", message="word "))
    groups = collapser.groups()
    assert len(groups) == 100
    assert groups[0].count == 2
    assert collapser.cut == ("groups beyond 100",)
    assert Collapser().cut == ()


@given(st.text())
def test_scrubbing_twice_is_scrubbing_once(text: str) -> None:
    """A scrubbed text has nothing left to scrub."""
    assert scrubbed(scrubbed(text)) == scrubbed(text)


@given(st.lists(st.tuples(st.sampled_from(["exception", "text", "device_assert", "odd"]), st.text(max_size=20))))
def test_counts_sum_to_events(rows: list[tuple[str, str]]) -> None:
    """Whatever the fields hold, every event is counted in exactly one group."""
    events = [make(kind, message=text, block=text, first=n + 1) for n, (kind, text) in enumerate(rows)]
    assert sum(group.count for group in collapse(events)) == len(events)
