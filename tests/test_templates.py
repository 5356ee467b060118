"""Texts with holes: placeholders, arithmetic, forms and optional clauses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errtriage.templates import evaluate, fill, holes, stray_braces

VALUES = {"label": "10", "free": "2147483648", "limit": "1800000", "name": "fc.weight", "rate": "0.5", "low": "-3"}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("label {label}", "label 10"),
        ("{label + 1} outputs", "11 outputs"),
        ("{(label - 1) // 2} and {label / 4} and {-low * 2}", "4 and 2.5 and 6"),
        ("{label * rate}", "5"),
        ("{free:bytes} free", "2.00 GiB free"),
        ("{free - label:bytes}", "2.00 GiB"),
        ("{label:bytes}", "10 bytes"),
        ("waited {limit:ms}", "waited 30 min"),
        ("label[ {label}] is out", "label 10 is out"),
        ("label[ {other}] is out", "label is out"),
        ("a[ of {label}[ in {other}]].", "a of 10."),
        ("a[ of {other}[ in {label}]].", "a."),
        ("in [0, 1]", "in [0, 1]"),
        ("in [0, 1[ or {label}]]", "in [0, 1 or 10]"),
        (r"y\[{label}\]", "y[10]"),
        ("{{label}}", "{label}"),
        ("{'a': 1} {x.min()} {}", "{'a': 1} {x.min()} {}"),
        ("is {other}", "is <other>"),
        ("{label // 0}", "<label // 0>"),
        ("{name + 1}", "<name + 1>"),
        ("at {where}", "at the line that fails"),
        ("[{label}", "[10"),
        ("{label}]", "10]"),
    ],
)
def test_texts_are_filled(text: str, filled: str) -> None:
    """A hole gives its value, a clause goes where a value of its own is unknown, other brackets and braces stay."""
    assert fill(text, VALUES) == filled


def test_brackets_of_code_are_code() -> None:
    """In code a hole is filled, and square brackets mean an index."""
    assert fill("y[{label}] = d[0] if {other} else {}", VALUES, clauses=False) == "y[10] = d[0] if <other> else {}"


def test_long_values_are_cut() -> None:
    """A value of any length leaves the text readable."""
    assert len(fill("{name}", {"name": "x" * 5000})) == 300


@pytest.mark.parametrize("expression", ["", "1 +", "(1", "a b", "a.b", "'a'", "a ** b ", "9" * 40, "a[0]", "{a}"])
def test_what_is_no_expression_has_no_value(expression: str) -> None:
    """Half an expression, a call or an index is unknown, never an error."""
    assert evaluate(expression, {"a": "1", "b": "2"}) is None


def test_expressions_follow_the_usual_order() -> None:
    """Products bind before sums, from left to right."""
    assert evaluate("2 + 3 * a - 8 / 4", {"a": "5"}) == 15


def test_holes_say_whether_they_may_be_unknown() -> None:
    """The checker learns each hole's names and whether it stands in a clause."""
    found = [(hole.names, optional) for hole, optional in holes("{a + b} is[ {c}] and [0, 1]")]
    assert found == [(("a", "b"), False), (("c",), True)]


def test_stray_braces_are_found() -> None:
    """Braces that look like a placeholder and are none are named."""
    assert stray_braces("{a} {a +} {{b}} {}") == ["{a +}"]


@given(st.text(alphabet="{}[]\\ab1+-*/(): ", max_size=60), st.text(max_size=10))
def test_no_text_raises(text: str, value: str) -> None:
    """Whatever the text and the values, filling returns a text."""
    assert isinstance(fill(text, {"a": value, "b": "1e999"}), str)
    assert isinstance(fill(text, {"a": value}, clauses=False), str)


@given(st.text(alphabet="ab ,.", max_size=40))
def test_text_without_holes_stays(text: str) -> None:
    """A text without holes, brackets or escapes is left as it is."""
    assert fill(text, {"a": "1"}) == text
