"""`kb list`, `kb show` and `kb search`: the knowledge base as a person reads it."""

from __future__ import annotations

import difflib
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from errtriage.cli.kb_page import page, words
from errtriage.cli.kb_trial import hits_of
from errtriage.errors import ErrtriageError
from errtriage.model import Entry
from errtriage.render.words_wrap import columns, folded

if TYPE_CHECKING:
    from errtriage.knowledge import Knowledge

_MOST_FOUND = 15
_LINK = re.compile(r"\[([\w-]+)\]\(\1\.md\)")


def list_entries(knowledge: Knowledge, *, tag: str | None, role: str | None, severity: str | None) -> int:
    """Print id, severity and title of the entries that have the tag, role and severity asked for."""
    chosen = [
        entry
        for entry in knowledge.entries
        if (tag is None or tag in entry.tags)
        and (role is None or role == entry.role)
        and (severity is None or severity == entry.severity)
    ]
    _print_rows(chosen)
    return 0


def show(name: str, knowledge: Knowledge, *, markdown: bool) -> int:
    """Print the page of an entry. Raises ErrtriageError where there is none of that id, naming the nearest ones."""
    text = page(entry_of(name, knowledge), knowledge)
    sys.stdout.write(text if markdown else "".join(plain(text, _width())))
    return 0


def entry_of(name: str, knowledge: Knowledge) -> Entry:
    """Return the entry of an id. Raises ErrtriageError where there is none, naming the nearest ones."""
    entry = knowledge.by_id.get(name)
    if entry is None:
        near = difflib.get_close_matches(name, knowledge.by_id, n=3, cutoff=0.5)
        hint = f"; did you mean {', '.join(near)}?" if near else " (errtriage kb list shows all)"
        raise ErrtriageError(f"there is no entry {name!r}{hint}")
    return entry


def search(query: Sequence[str], knowledge: Knowledge) -> int:
    """Print the entries that the words, taken as a log, hit; then those whose texts hold all the words."""
    text = " ".join(query)
    hit = [knowledge.by_id[name] for name in hits_of(text, knowledge)]
    wanted = [word.lower() for word in re.findall(r"[\w.:+-]+", text)]
    scored = [(_score(entry, wanted), entry) for entry in knowledge.entries if entry not in hit]
    found = [entry for score, entry in sorted(scored, key=lambda pair: (-pair[0], pair[1].id)) if score]
    if not hit and not found:
        raise ErrtriageError(f"no entry holds {text!r}")
    _print_rows([*hit, *found[:_MOST_FOUND]])
    return 0


def _score(entry: Entry, wanted: Sequence[str]) -> int:
    """Return how well an entry answers words: 0 where one of them stands nowhere in it."""
    places = [(8, entry.id.replace("-", " ")), (6, entry.title), (5, " ".join(entry.tags)), (3, entry.summary)]
    places += [(1, " ".join((cause.id, cause.why, cause.check, cause.fix))) for cause in entry.causes]
    texts = [(weight, text.lower()) for weight, text in places]
    total = 0
    for word in wanted:
        best = max((weight for weight, text in texts if word in text), default=0)
        if not best:
            return 0
        total += best
    return total


def _print_rows(entries: Sequence[Entry]) -> None:
    wide = max((len(entry.id) for entry in entries), default=0)
    for entry in entries:
        sys.stdout.write(f"{entry.id:{wide}}  {entry.severity:7}  {words(entry.title)}\n")


def _width() -> int:
    return max(40, min(100, shutil.get_terminal_size((80, 24)).columns))


def plain(markdown: str, width: int) -> Iterator[str]:
    """Yield the lines of a page as plain text of a width: headings underlined, blocks indented, paragraphs wrapped."""
    fence = ""
    for line in markdown.splitlines():
        start = re.match(r"`{3,}", line)
        if start and (not fence or line == fence):
            fence = "" if fence else start[0]
        elif fence:
            yield f"    {line}\n" if line else "\n"
        elif line.startswith("#"):
            level, _, title = line.partition(" ")
            yield from _heading(len(level), _bare(title), width)
        else:
            hang = "  " if line.startswith("- ") else ""
            yield _filled(_bare(line), width, hang) + "\n"


def _heading(level: int, title: str, width: int) -> Iterator[str]:
    yield _filled(title, width, "   " if level > 2 else "") + "\n"
    if level <= 2:
        yield ("=" if level == 1 else "-") * min(width, columns(title)) + "\n"


def _filled(text: str, width: int, hang: str) -> str:
    return ("\n" + hang).join(folded(text, width - len(hang)))


def _bare(text: str) -> str:
    """Return a line of Markdown without its marks, save those of code."""
    text = _LINK.sub(r"\1", text)
    text = re.sub(r"^\*([^*].*)\*$", r"\1", text)
    return re.sub(r"\*\*([^*]+)\*\*", r"\1", re.sub(r"(?<![\w*])\*([\w-]+)\*(?!\*)", r"\1", text)).replace(
        "<http", "http"
    )
