"""Required literals: every match of a regex holds one of them."""

from __future__ import annotations

import re

import pytest

from errtriage.cli.kb_trial import examples_of
from errtriage.knowledge import Knowledge, load_knowledge
from errtriage.knowledge.data import example_log
from errtriage.knowledge.literals import picking, required, telling
from errtriage.model import EventMatch
from errtriage.patterns import PATTERNS


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        (r"^Target (?P<label>-?\d+) is out of bounds", (" is out of bounds",)),
        (r"(?:over|under)flow encountered in", ("flow encountered in",)),
        (r"(?:fp16|bfloat) overflow|loss scale", ("loss scale", " overflow")),
        (r"abc(?:de)?f", ("abc",)),
        (r"(?:foo|fob)bar", ("bar",)),
        (r"(?P<a>foo)bar", ("foobar",)),
        (r"(?:cat)+s", ("cat",)),
        (r"\bmasked\b", ("masked",)),
        (r"a(?i:bcdef)g", ("a",)),
        (r"(?=ahead)x", ("x",)),
        (r"x?|y", ()),
        (r"\d+", ()),
    ],
)
def test_the_longest_literals_are_required(pattern: str, literals: tuple[str, ...]) -> None:
    """Of several sets the one whose shortest member is longest is taken; alternatives give one literal each."""
    assert set(required(pattern)) == set(literals)


def test_literals_that_pick_lines_are_long_enough() -> None:
    """A literal under four bytes picks nothing, and one alternative without a literal spoils all."""
    assert picking(r"\w abc \d") == (" abc ",)
    assert picking(r"abc\d") == ()
    assert picking(r"masked|\d{3}") == ()


def test_case_that_is_ignored_is_spelt_out() -> None:
    """A regex that ignores case is picked in the cases that logs print."""
    assert set(picking(r"(?i)out of memory")) >= {"out of memory", "OUT OF MEMORY", "Out of memory"}


def test_evidence_picks_no_common_words() -> None:
    """A log condition picks lines by its telling alternatives alone."""
    assert telling(r"memory|MaskedArray|np\.ma\b|oom") == ("MaskedArray",)


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def test_no_match_of_an_entry_lacks_its_literals(knowledge: Knowledge) -> None:
    """Where a regex of an entry finds an example, the example holds one of the literals that the regex needs."""
    checked = 0
    for entry in knowledge.entries:
        texts = [example_log(example) for example in examples_of(entry)[0]]
        for item in entry.match:
            for pattern in item.where.values() if isinstance(item, EventMatch) else ():
                for found in filter(None, (re.search(pattern, text) for text in texts)):
                    assert not required(pattern) or any(one in found[0] for one in required(pattern)), pattern
                    checked += 1
    assert checked > len(knowledge.entries) / 2


def test_literals_of_patterns_stand_in_their_examples() -> None:
    """Every example of a pattern holds one of the literals by which the pattern is picked."""
    for pattern in PATTERNS:
        for example in pattern.examples:
            assert any(literal in example for literal in pattern.literals), example


def test_no_literal_picks_the_lines_of_every_log(knowledge: Knowledge) -> None:
    """Entries pick no line by a word that plain progress prints."""
    plain = (
        "2024-01-31 12:00:00,123 - INFO - Epoch 3/10 step 1200/9600 loss 0.4312 lr 3.0e-05 grad_norm 1.203 "
        "tokens/s 12034 mem 34.2GB eta 0:12:33 data_time 0.003 batch_time 0.31 train accuracy 0.913 val_loss=0.52 "
        "[Training] iter: 100 memory: 10240 learning rate 1e-4 samples/sec saving checkpoint to /out/ckpt-1200.pt\n"
        " 42%|████▏     | 421/1000 [01:02<01:25,  6.77it/s, loss=0.52, acc=0.81]"
    )
    assert [literal for literal in knowledge.literals if literal in plain] == []
