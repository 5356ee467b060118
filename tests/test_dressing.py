"""Dressing: whatever a paste, notebook or collector put around a log, its lines come as the program wrote them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errtriage import sources
from errtriage.lines import Cleaner
from errtriage.model import Line, Span
from errtriage.sources import windows

TRACEBACK = """\
Traceback (most recent call last):
  File "train.py", line 12, in <module>
    main()
  File "C:\\Users\\me\\miniconda3\\envs\\torch\\lib\\site-packages\\torch\\nn\\module.py", line 11, in _call_impl
    return forward_call(*input, **kwargs)
Assertion `t >= 0 && t < n_classes` failed.
IndexError: Target 3 is out of bounds.
"""
ROWS = TRACEBACK.splitlines()


def read(text: str | bytes, name: str = "a.log") -> list[Line]:
    source = sources.from_text(name, text) if isinstance(text, str) else sources.from_bytes(name, text)
    found: list[Line] = []
    cleaner: Cleaner | None = None
    for window in source.windows():
        cleaner = cleaner or Cleaner(name, window.data)
        for number, row in enumerate(window.data.removesuffix(b"\n").split(b"\n")):
            at = window.first_line + number
            found += cleaner.clean(row, window.spans[number] if window.spans else Span(first=at, last=at))
    return found


def texts(text: str | bytes) -> list[str]:
    return [line.text for line in read(text)]


def firsts(text: str | bytes) -> list[int]:
    return [line.span.first for line in read(text)]


def each(shape: str, start: int = 1) -> str:
    return "".join(shape.format(number=number, row=row) + "\n" for number, row in enumerate(ROWS, start))


DRESSED = {
    "bare": TRACEBACK,
    "html": html.escape(TRACEBACK),
    "html twice": html.escape(html.escape(TRACEBACK)),
    "html tags": "".join(f"<span class='x'>{html.escape(row)}</span>\n" for row in ROWS),
    "quote": each("> {row}"),
    "quote twice": each("> > {row}"),
    "quote in html": html.escape(each("> {row}")),
    "fence": "```\n" + TRACEBACK + "```\n",
    "fence of a language": "```python-traceback\n" + TRACEBACK + "```",
    "glued fence": "```" + TRACEBACK.rstrip() + "```\n",
    "four blanks": each("    {row}"),
    "tab": each("\t{row}"),
    "cat -n": each("{number:6}\t{row}"),
    "two blanks": each("  {number:3}  {row}", start=41),
    "colon": each("{number}: {row}"),
    "dot": each("{number:02}. {row}"),
    "bar": each("{number:4} | {row}"),
    "byte order mark": "\ufeff" + TRACEBACK,
    "crlf": TRACEBACK.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("text", DRESSED.values(), ids=DRESSED.keys())
def test_a_dressed_traceback_is_bared(text: str) -> None:
    """Every kind of paste gives the lines as the program wrote them."""
    assert texts(text) == ROWS


@pytest.mark.parametrize(
    "text",
    [
        "3 & 4 &amp; 5 < 6\n" * 3,
        "a <b> c\n>>> x = 1\n>>> y = 2\n>>> z = x / 0\n",
        ">       loss.backward()\nE       RuntimeError: no\n",
        ">>>>>>>start training\n>>>>>>>done\n>>>>>>>end\n",
        "1 0.693\n2 0.65\n3 0.61\n",
        "1: x\n3: Error\n4: y\n",
        "  a\n  b\n",
        '{"loss": 0.5, "step": 1}\n' * 5,
        "{'loss': 0.5}\n" * 5,
        "+ id\n+ python train.py\n",
        "[1, 2]\n",
        "{\n",
        '{"cells": [\n',
    ],
)
def test_a_plain_log_is_not_undressed(text: str) -> None:
    """Text that only resembles a paste stays as it is."""
    assert texts(text) == text.splitlines()


def test_prose_around_a_quote_stays() -> None:
    """A quoted block within a message is bared, and the message keeps its lines and their numbers."""
    found = read("Hi, I get\n\n" + each("> {row}") + "\nwhy?\n")
    assert [line.text for line in found] == ["Hi, I get", "", *ROWS, "", "why?"]
    assert [line.span.first for line in found] == list(range(1, len(found) + 1))


def test_lines_behind_a_fence_keep_their_numbers() -> None:
    """A fence line is dropped, and the lines after it keep the numbers of the file."""
    assert firsts("text\n```\nValueError: no\n```\nend\n") == [1, 3, 5]


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["RuntimeError: in prose\n"]},
        {
            "cell_type": "code",
            "execution_count": 3,
            "source": ["loss = f(x)\n", "raise"],
            "outputs": [
                {"output_type": "stream", "name": "stderr", "text": ["a.py:3: RuntimeWarning: overflow\n", "  f(x)\n"]},
                {"output_type": "stream", "name": "stdout", "text": "10%\r20%\r\nend"},
                {
                    "output_type": "error",
                    "ename": "IndexError",
                    "evalue": "Target",
                    "traceback": ["\x1b[0;31m----\x1b[0m", "a\n----> 1 f(x)", "\x1b[0;31mIndexError\x1b[0m: Target 3"],
                },
            ],
        },
        {
            "cell_type": "code",
            "execution_count": None,
            "source": "x",
            "outputs": [{"output_type": "error", "ename": "KeyError", "evalue": "'a'", "traceback": []}],
        },
    ],
    "nbformat": 4,
}
SHOWN = [
    "In [3]: loss = f(x)", "a.py:3: RuntimeWarning: overflow", "  f(x)", "10%", "20%", "end", "----", "a",
    "----> 1 f(x)", "IndexError: Target 3", "KeyError: 'a'",
]  # fmt: skip


@pytest.mark.parametrize("indent", [None, 1])
def test_a_notebook_shows_its_outputs(indent: int | None) -> None:
    """The outputs of code cells come as Jupyter showed them, prose does not."""
    assert texts(json.dumps(NOTEBOOK, indent=indent)) == SHOWN


def test_outputs_of_a_notebook_know_their_raw_line() -> None:
    """Each line of an output has the line of the file's JSON string that holds it."""
    raw = json.dumps(NOTEBOOK, indent=1).splitlines()
    for line in read(json.dumps(NOTEBOOK, indent=1)):
        held = raw[line.span.first - 1]
        assert line.text.split(": ")[-1].removeprefix("----> ") in held.replace("\\u001b[0;31m", "").replace(
            "\\u001b[0m", ""
        )


def test_an_old_notebook_shows_its_outputs() -> None:
    """Notebooks of format 3 keep their cells in worksheets."""
    output = {"output_type": "pyerr", "ename": "E", "evalue": "e", "traceback": ["E: e"]}
    cell = {"cell_type": "code", "prompt_number": 1, "input": ["f()"], "outputs": [output]}
    assert texts(json.dumps({"nbformat": 3, "worksheets": [{"cells": [cell]}]})) == ["In [1]: f()", "E: e"]


@pytest.mark.parametrize(
    "text", ['{"cells": [{"cell_type": "code"', '{"cells": 3}', "[" * 100_000, '{"cells": ' * 9000]
)
def test_a_broken_notebook_is_read_as_text(text: str) -> None:
    """JSON that is cut short, odd or absurdly deep is a log like any other."""
    assert "".join(texts(text)).startswith(text[:10])


def test_docker_lines_are_opened() -> None:
    """Docker's JSON lines give text, stream and time, and lines that it parted are joined."""
    entries = [{"log": f"{row}\n", "stream": "stderr", "time": "2024-01-31T12:00:00.5Z"} for row in ROWS]
    parted = [{"log": "a" * 5, "stream": "stdout", "time": "2024-01-31T12:00:01Z"}, entries[0]]
    parted.append({"log": "b\n", "stream": "stdout", "time": "2024-01-31T12:00:02Z"})
    found = read("".join(json.dumps(entry) + "\n" for entry in [*entries, *parted]))
    assert [line.text for line in found] == [*ROWS, ROWS[0], "aaaaab"]
    assert {(line.stream, line.time) for line in found[:-1]} == {("stderr", 1706702400.5)}
    assert (found[-1].span, found[-1].stream) == (Span(first=len(ROWS) + 1, last=len(ROWS) + 3), "stdout")


@pytest.mark.parametrize(
    "entry",
    [
        lambda row: {"severity": "ERROR", "message": row, "timestamp": "2024-01-31T12:00:00.5Z"},
        lambda row: {"textPayload": row, "timestamp": "2024-01-31T12:00:00.500000000Z"},
        lambda row: {"jsonPayload": {"message": row}, "timestamp": "2024-01-31T12:00:00.5+00:00"},
        lambda row: {"level": "error", "msg": row, "ts": 1706702400.5},
        lambda row: {"text": f"{row}\n", "record": {"level": 1}, "time": 1706702400500},
        lambda row: {"event": row, "timestamp": "2024-01-31 12:00:00,5"},
    ],
    ids=["stackdriver", "text payload", "json payload", "zap", "loguru", "structlog"],
)
def test_json_log_lines_are_opened(entry: Callable[[str], dict[str, object]]) -> None:
    """The usual collectors' JSON lines give their text and time."""
    found = read("".join(json.dumps(entry(row)) + "\n" for row in ROWS))
    assert [line.text for line in found] == ROWS
    assert {line.time for line in found} == {1706702400.5}


def test_a_traceback_in_a_json_line_becomes_lines() -> None:
    """A traceback that a logger put into one JSON string has the lines of a traceback, all with that line's number."""
    text = json.dumps({"message": "step failed", "exc_info": TRACEBACK, "rank": 2})
    found = read("start\n" + f"{text}\n" * 2)
    assert [line.text for line in found] == ["start", *["step failed", *ROWS] * 2]
    assert {(line.span.first, line.rank, line.channel) for line in found[1:]} == {(2, 2, "rank2"), (3, 2, "rank2")}


def test_a_traceback_that_was_taken_apart_becomes_lines() -> None:
    """The list of exceptions that structlog writes becomes the traceback that Python would have printed."""
    inner = {"exc_type": "KeyError", "exc_value": "'x'", "is_cause": True, "frames": []}
    frames = [{"filename": "/app/a.py", "lineno": 3, "name": "load"}]
    outer = {"exc_type": "ValueError", "exc_value": "no data", "is_cause": False, "frames": frames}
    assert texts(json.dumps({"event": "failed", "exception": [outer, inner]}) + "\n") == [
        "failed",
        "Traceback (most recent call last):",
        "KeyError: 'x'",
        "",
        "The above exception was the direct cause of the following exception:",
        "",
        "Traceback (most recent call last):",
        '  File "/app/a.py", line 3, in load',
        "ValueError: no data",
    ]


def test_the_error_file_of_torch_elastic_is_opened() -> None:
    """The `error.json` that a torchrun worker leaves gives its traceback."""
    text = json.dumps({"message": {"message": "IndexError: no", "extraInfo": {"py_callstack": TRACEBACK}}})
    assert texts(text) == ["IndexError: no", *ROWS]


def test_an_array_of_log_entries_is_opened() -> None:
    """An export of log entries as one JSON array gives each text with its line of the file, and its pod."""
    labels = {"labels": {"pod_name": "train-0", "container_name": "main"}}
    text = json.dumps([{"textPayload": row, "resource": labels} for row in ROWS], indent=1)
    found = read(text)
    assert [line.text for line in found] == ROWS
    assert {line.channel for line in found} == {"train-0/main"}
    assert all('"textPayload"' in text.splitlines()[line.span.first - 1] for line in found)


def test_parts_of_a_container_line_are_joined() -> None:
    """CRI lines marked `P` are joined to the `F` that ends them, also where the other stream comes between."""
    stamp = "2024-01-31T12:00:00.5Z"
    log = f"{stamp} stdout P ab\n{stamp} stderr F   x\n{stamp} stdout P cd\n{stamp} stdout F ef\n{stamp} stdout P end\n"
    found = read(log)
    assert [(line.text, line.stream) for line in found] == [("  x", "stderr"), ("abcdef", "stdout"), ("end", "stdout")]
    assert [line.span for line in found] == [Span(first=2, last=2), Span(first=1, last=4), Span(first=5, last=5)]


RECORD = """\
python : {first}
At C:\\work\\run.ps1:3 char:1
+ python train.py 2>&1 | tee log.txt
+ ~~~~~~~~~~~~~~~~~~~~
    + CategoryInfo          : NotSpecified: ({short}:String) [], RemoteException
    + FullyQualifiedErrorId : NativeCommandError
 
"""  # noqa: W293
WARNING = (
    "C:\\Users\\me\\miniconda3\\envs\\torch\\lib\\site-packages\\torch\\nn\\modules\\loss.py:535: UserWarning: Using a "
    "target size (torch.Size([64])) that is different to the input size (torch.Size([64, 1])). This is wrong."
)


def recorded(rows: list[str]) -> str:
    return "loading\n" + RECORD.format(first=rows[0], short=rows[0][:30]) + "\n".join(rows[1:]) + "\n"


def hard_wrapped(text: str, width: int) -> str:
    return re.sub(f"(.{{{width}}})(?=.)", r"\1\n", text)


def word_wrapped(text: str, width: int) -> str:
    """Wrap as PowerShell's formatter does: a word goes with its blank, and only a word longer than a line is cut."""
    shown = []
    for row in text.split("\n"):
        line = ""
        for word in re.findall(r"\S* |\S+$", row):
            if len(line) + len(word) > width and len(word) <= width:
                shown.append(line)
                line = ""
            line += word
            while len(line) > width:
                shown.append(line[:width])
                line = line[width:]
        shown.append(line)
    return "\n".join(shown)


@pytest.mark.parametrize("wrap", [lambda text, _: text, hard_wrapped, word_wrapped], ids=["not", "hard", "words"])
@pytest.mark.parametrize("width", [79, 80, 119, 120])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_error_records_of_power_shell_are_taken_off(wrap: Callable[[str, int], str], width: int, encoding: str) -> None:
    """The blocks of `2>&1` vanish, and the lines that the console's width broke are whole again."""
    rows = [WARNING, "  return F.mse_loss(input, target)", *ROWS]
    text = wrap(recorded(rows), width).replace("\n", "\r\n")
    found = read(text.encode(encoding))
    assert [line.text for line in found] == ["loading", *rows]
    assert found[0].span == Span(first=1, last=1)
    assert found[-1].span.last == text.count("\n")


def test_a_wrapped_frame_without_its_blanks_is_joined() -> None:
    """A frame that an editor left without the blank at its line's end is whole again."""
    rows = recorded(ROWS).replace('module.py", line', 'module.py",\nline')
    assert texts(rows)[1:] == ROWS


def test_any_number_of_windows_is_undressed() -> None:
    """A long log keeps its dressing off, and its numbers, from window to window."""
    entry = json.dumps({"log": "x" * 90 + "\n", "stream": "stdout", "time": "2024-01-31T12:00:00Z"})
    found = read(f"{entry}\n" * 5000)
    assert [line.span.first for line in found] == list(range(1, 5001))
    assert {line.text for line in found} == {"x" * 90}


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "```", "> a", ">", "&lt;x&gt;", '{"log":"a\\n"}', '{"log":"a"}', '{"message":', "1: Error", "2: x",
                "python : x", "At line:1 char:1", "+ x", "    + CategoryInfo : y", "    + FullyQualifiedErrorId : z",
                "2024-01-31T12:00:00Z stdout P a", "2024-01-31T12:00:00Z stdout F", "NativeCommandError", "[{", "",
                '{"cells": [', "errtriage report", "end of errtriage report", "\r", "\x00", "  File \"a",
            ]
        ),
        max_size=14,
    ),
    st.integers(1, 50),
)  # fmt: skip
def test_odd_dressing_never_raises_and_chunks_do_not_matter(rows: list[str], size: int) -> None:
    """However a log is dressed, it is read; spans lie in the file; and pieces give the same windows."""
    data = "\n".join(rows).encode()
    whole = list(sources.from_bytes("a", data).windows())
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(sources.from_chunks("a", parts).windows()) == whole
    last = data.count(b"\n") + 1
    for window in whole:
        rows_inside = windows.count_newlines(window.data)
        assert window.spans is None or len(window.spans) == rows_inside
        assert all(1 <= span.first <= span.last <= last for span in window.spans or ())
