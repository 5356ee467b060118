"""The formats for channels, comments and code scanning: their own rules, and that text of a log stays text in each."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from markdown_it import MarkdownIt

from errtriage.model import Evidence, Point, Series, Where
from errtriage.render import renderer
from errtriage.render.markdown import code, fence, prose
from errtriage.render.sarif import uri
from errtriage.render.slack import LONGEST_TEXT, MOST_BLOCKS, message, thread
from errtriage.render.words import View, clean, ranks
from errtriage.render.words_card import LINES, card_lines
from errtriage.render.words_curve import sparkline
from errtriage.render.words_ranks import moments, rank_rows, rank_sentence, telling
from made_up_reports import CURVE, HOSTILE, RANKS, REPORTS, STORY, explanation, report

ALL = View(everything=True, why=True)
VIEWS = [View(), ALL]


class Tags(HTMLParser):
    """The tags, attributes and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.folds = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.folds += tag == "details"
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a fold."""
        self.folds -= tag == "details"

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.text += data


def rendered(markdown: str) -> Tags:
    page = Tags()
    page.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown))
    return page


@pytest.mark.parametrize("view", VIEWS, ids=["short", "whole"])
@pytest.mark.parametrize("kind", REPORTS)
def test_a_card_has_at_most_ten_lines(kind: str, view: View) -> None:
    """Verdict, fault, place, cause, check, fix, evidence, who can act and the next command fit ten lines."""
    lines = card_lines(REPORTS[kind], view)
    assert 1 <= len(lines) <= LINES
    assert not [line for line in lines if "\n" in line or "\x1b" in line]


def test_a_card_says_what_to_do() -> None:
    """The card of a fault names its verdict, its id, the line of the log, who can act and the next command."""
    text = "\n".join(card_lines(report(explanation(), action="fix-code")))
    for wanted in ("FAILED", "target-out-of-range", "line 12–4107", "who: whoever wrote the code", "errtriage kb show"):
        assert wanted in text


@pytest.mark.parametrize("view", VIEWS, ids=["short", "whole"])
@pytest.mark.parametrize("kind", REPORTS)
def test_markdown_makes_no_tag_but_ours(kind: str, view: View) -> None:
    """Rendered Markdown holds the tags of our own layout alone: no script, picture, link or heading of a log."""
    text = renderer("markdown")(REPORTS[kind], view)
    page = rendered(text)
    ours = {"h3", "ul", "ol", "li", "p", "strong", "em", "code", "pre", "details", "summary", "hr", "br"}
    ours |= {"table", "thead", "tbody", "tr", "th", "td"}
    assert page.tags <= ours, page.tags - ours
    assert page.attributes <= {"class", "start", "style"}
    assert len(text) < 65_536
    assert page.folds == 0


def test_markdown_shows_hostile_text_as_it_is() -> None:
    """What stands in fences and spans comes out letter by letter, and folds stay closed by ourselves alone."""
    page = rendered(renderer("markdown")(REPORTS["hostile"], ALL))
    assert "<script>alert(1)</script> ``` <!channel> *bold*" in page.text
    assert "[x](javascript:alert(3)) @octocat #1234" in page.text


@pytest.mark.parametrize("text", ["a ``` b", "`", "``` ````", "x\n```\n# y", HOSTILE, "", "`a`"])
def test_fences_and_spans_can_not_be_left(text: str) -> None:
    """A fence or a span of any text is one block or one span of exactly that text."""
    tokens = MarkdownIt("commonmark").parse(fence(text))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content.strip("\n") == clean(text).strip("\n")
    inline = MarkdownIt("commonmark").parse(f"x {code(text)} y")[1].children or []
    assert [child.type for child in inline] == ["text", "code_inline", "text"]


@pytest.mark.parametrize("text", ["ping @octocat", "see #12", "www.evil.org", "https://evil.org", "GH-12", ":smile: x"])
def test_markdown_makes_no_links_of_prose(text: str) -> None:
    """Mentions, issues, addresses and pictures of GitHub are broken by a comment that does not show."""
    assert "<!-- -->" in prose(text)
    assert rendered(prose(text)).text.strip() == text


def texts_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_of(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts_of(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("kind", REPORTS)
def test_slack_messages_keep_the_limits(kind: str) -> None:
    """A message has at most 50 blocks, a text 3000 characters, a header 150; none is empty and none is markup."""
    for part in [
        message(REPORTS[kind], View()),
        *thread(REPORTS[kind], ALL),
        json.loads(renderer("slack")(REPORTS[kind], ALL)),
    ]:
        assert len(part["blocks"]) <= MOST_BLOCKS
        assert part["blocks"]
        assert "<!channel>" not in part["text"]
        assert part["mrkdwn"] is False
        for block in part["blocks"]:
            assert block["type"] in ("header", "rich_text", "context")
            assert all(1 <= len(text) <= LONGEST_TEXT for text in texts_of(block))
            assert '"mrkdwn"' not in json.dumps(block)
            if block["type"] == "header":
                assert len(block["text"]["text"]) <= 150


def test_a_large_report_makes_several_slack_messages() -> None:
    """A report of very many faults and of very long texts is parted, and each part keeps the limits."""
    long = "x" * 20_000
    many = report(*(explanation(f"fault-{n}", summary=long) for n in range(40)))
    parts = thread(many, ALL)
    assert len(parts) > 1
    assert all(len(part["blocks"]) <= MOST_BLOCKS for part in parts)
    assert all(len(text) <= LONGEST_TEXT for part in parts for text in texts_of(part))


@pytest.mark.parametrize("kind", REPORTS)
def test_workflow_commands_are_one_line_each(kind: str) -> None:
    """At most ten annotations, each one command on one line, whatever the log tried."""
    lines = renderer("github")(REPORTS[kind], ALL).split("\n")
    assert lines.pop() == ""
    assert 1 <= len(lines) <= 10
    command = re.compile(r"::(error|warning|notice) (\w+=[^:,]*)(,\w+=[^:,]*)*::[^\r\n]*")
    assert all(command.fullmatch(line) for line in lines)


def test_an_annotation_stands_at_the_users_line() -> None:
    """File, line and title are properties; signs that part them are escaped."""
    where = Where(file="C:\\run,1\\train.py", line=57)
    line = renderer("github")(report(explanation(where=where, title="50% off: a, b")), View())
    assert line.startswith(
        "::error file=C%3A/run%2C1/train.py,line=57,title=50%25 off%3A a%2C b (target-out-of-range)::"
    )
    assert "%0Acause: Labels count from 1.%0Acheck: Print y.min()." in line


@pytest.mark.parametrize("view", VIEWS, ids=["short", "whole"])
@pytest.mark.parametrize("kind", REPORTS)
def test_sarif_is_valid(kind: str, view: View) -> None:
    """What the SARIF format prints is valid under the schema of the standard."""
    schema = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    log = json.loads(renderer("sarif")(REPORTS[kind], view))
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in log["runs"][0]["results"])


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("src/train.py", "src/train.py"),
        ("/home/x y/train.py", "file:///home/x%20y/train.py"),
        ("C:\\a b\\t.py", "file:///C:/a%20b/t.py"),
        ("<stdin>", "%3Cstdin%3E"),
        ("", "log"),
    ],
)
def test_paths_become_uris(path: str, told: str) -> None:
    """Relative paths stay relative, absolute ones of either kind become file URIs."""
    assert uri(path) == told


def test_ranks_of_equal_state_share_a_line() -> None:
    """512 ranks of which one died fold into few lines that name it and its node first."""
    lines = [rank_sentence(row, "en") for row in rank_rows(RANKS)]
    assert lines[0] == "rank 3 died, last step 41 on node37"
    assert lines[1] == "ranks 0–2, 4–511 waiting in ALLREDUCE seq 812"


def test_ranks_of_many_states_stay_few_lines() -> None:
    """Where every rank waits in another collective their states alone are told."""
    from errtriage.values import replace

    rows = rank_rows([replace(one, seq=one.rank) for one in RANKS])
    assert len(rows) == 2


def test_moments_fold_repeats_and_keep_every_fault() -> None:
    """512 moments of three kinds are three; a short story keeps the first of each explanation."""
    told = moments(REPORTS["ranks"])
    assert [moment.count for moment in told] == [1, 511, 1]
    assert told[1].after == 600.0
    assert [one.item.explanation for one in telling(told, 3)] == [one.item.explanation for one in told]


@pytest.mark.parametrize("width", [80, 120])
def test_hundreds_of_ranks_fit_a_screen(width: int) -> None:
    """The terminal report of 512 ranks has no more than 50 lines, none wider than the screen."""
    from rich.cells import cell_len
    from rich.text import Text

    from errtriage.render.terminal import render

    lines = render(REPORTS["ranks"], View(), width=width).splitlines()
    assert len(lines) <= 50
    assert max(cell_len(Text.from_ansi(line).plain) for line in lines) <= width


def test_a_silent_fault_shows_its_curve_and_the_moment() -> None:
    """Terminal, plain, Markdown and Slack draw the series of a silent fault, and mark the step."""
    for name in ("terminal", "plain", "markdown"):
        text = renderer(name)(REPORTS["silent"], View())
        assert "××" in text
        assert "▲ step 40: nan" in text
    assert "▲ step 40: nan" in json.dumps(thread(REPORTS["silent"], View()), ensure_ascii=False)


def test_a_sparkline_falls_with_its_series() -> None:
    """High values are tall and low ones short; the mark stands below its step."""
    points = tuple(Point(step=float(n), value=8.0 - n, line=n) for n in range(8))
    bars, below = sparkline(Series(name="loss", points=points, mark=5.0), "en").split("\n")
    assert bars.startswith("█▇▆▅▄▃▂▁  8 to 1, steps 0 to 7")
    assert below == "     ▲ step 5: 3"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 0.0, 1e308, -1e308])
def test_flat_and_endless_series_are_drawn(value: float) -> None:
    """A series of one value, of nothing finite or of the largest floats breaks no picture."""
    points = tuple(Point(step=float(n), value=value if n % 3 else -value, line=n) for n in range(900))
    series = Series(name="loss", source="a.log", points=points, mark=5.0, count=900)
    item = Evidence(source="a.log", line=5, last_line=5, count=1, text="loss = x at step 5", role="symptom")
    made = report(explanation(evidence=(item,)), series=(series,))
    for name in ("terminal", "plain", "html", "markdown", "slack"):
        assert "loss" in renderer(name)(made, View())


def test_numbers_are_cut_where_they_never_end() -> None:
    """Scattered ranks are listed up to eight runs, with how many there are."""
    assert ranks(range(0, 512, 2), "en", 8) == "ranks 0, 2, 4, 6, 8, 10, 12, 14, … (256)"


def test_the_curve_of_a_report_is_the_one_it_cites() -> None:
    """A series that no evidence cites is not drawn."""
    other = Series(name="acc", source="b.log", points=CURVE.points)
    text = renderer("plain")(report(explanation(), series=(other,)), View())
    assert "▲" not in text


def test_moments_of_several_files_go_by_the_clock_or_by_role() -> None:
    """Files have no order: times order their moments, else the cause stands before its effects."""
    from errtriage.values import replace

    late, early = STORY[0], replace(STORY[1], source="b.log")
    faults = REPORTS["ranks"].explanations
    timed = report(*faults, timeline=(early, late))
    assert [one.item.rank for one in moments(timed)] == [3, 0]
    untimed = report(*faults, timeline=(replace(early, time=None), replace(late, time=None)))
    assert [one.role for one in moments(untimed)] == ["cause", "symptom"]
