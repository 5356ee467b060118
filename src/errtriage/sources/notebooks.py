"""Takes the outputs out of a Jupyter notebook's file, each line with the line of the JSON string that holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from errtriage.model import Span

Lines = Iterator[tuple[bytes, Span]]


def look(head: bytes) -> bool:
    """Return whether an object of JSON begins as a notebook (nbformat 3 and 4) does."""
    return b'"cells"' in head or b'"nbformat"' in head or b'"worksheets"' in head


def take_off(data: bytes) -> Lines | None:
    """Return the lines of the outputs of all code cells, in the order of the file; None where it is no notebook."""
    from errtriage.sources import json_places

    notebook = json_places.parse(data)
    cells = list(_cells(notebook)) if isinstance(notebook, dict) else []
    return _shown(cells) if cells else None


def _shown(cells: list[dict[str, Any]]) -> Lines:
    for cell in cells:
        if cell.get("cell_type", "code") != "code":
            continue
        count = cell.get("execution_count", cell.get("prompt_number"))
        yield from _prompt(count, cell.get("source", cell.get("input")))
        for output in cell.get("outputs") or []:
            if isinstance(output, dict):
                yield from _output(output)


def _cells(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sheets = notebook.get("worksheets")
    for holder in [notebook, *(sheets if isinstance(sheets, list) else [])]:
        cells = holder.get("cells") if isinstance(holder, dict) else None
        yield from (cell for cell in cells or [] if isinstance(cell, dict)) if isinstance(cells, list) else ()


def _prompt(count: Any, source: Any) -> Lines:
    """Yield a cell's first line as IPython shows it, so that the runs of cells can be told apart."""
    first = next(iter(_strings(source)), None)
    if count is not None and first is not None:
        head = str(first).split("\n", 1)[0]
        yield from _rows(first, f"In [{count}]: {head}")


def _output(output: dict[str, Any]) -> Lines:
    traceback = list(_strings(output.get("traceback")))
    if output.get("output_type") in ("error", "pyerr") and not traceback:
        yield from _rows(output.get("evalue"), f"{output.get('ename')}: {output.get('evalue')}")
    for text in traceback:
        yield from _rows(text)
    data = output.get("data")
    shown = data.get("text/plain") if isinstance(data, dict) else None
    for text in [*_strings(output.get("text")), *_strings(shown)]:
        yield from _rows(text)


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _rows(place: Any, text: str | None = None) -> Lines:
    from errtriage.sources.json_places import line_of

    number = line_of(place)
    rows = str(place if text is None else text).split("\n")
    if len(rows) > 1 and not rows[-1]:
        rows.pop()
    for row in rows:
        yield row.rstrip("\r").encode("utf-8", "backslashreplace"), Span(first=number, last=number)
