"""The options of `explain` and of the pipe: one table, for the fast door to parse and the typer app to declare."""

from __future__ import annotations

from errtriage import TYPE_CHECKING
from errtriage.render import FORMATS
from errtriage.values import dataclass, field

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option: its flags, the kind of its value (flag, text, number, paths) and its help."""

    flags: tuple[str, ...]
    kind: str
    help: str


OPTIONS: dict[str, Option] = {
    "format": Option(flags=("--format", "-f"), kind="text", help=f"One of {', '.join(FORMATS)}."),
    "top": Option(flags=("--top",), kind="number", help="How many faults are shown."),
    "all": Option(flags=("--all", "-a"), kind="flag", help="Show everything: effects, all causes, all evidence."),
    "why": Option(flags=("--why",), kind="flag", help="Show the score of each explanation, term by term."),
    "each": Option(flags=("--each",), kind="flag", help="One report for each file, rather than one for the job."),
    "quiet": Option(flags=("--quiet", "-q"), kind="flag", help="Print the report alone: pass nothing through."),
    "raw": Option(flags=("--raw",), kind="flag", help="As a pipe: fold nothing, even on a terminal."),
    "collapse": Option(flags=("--collapse",), kind="flag", help="As a pipe: fold repeats even where nobody watches."),
    "log": Option(flags=("--log",), kind="text", help="As a pipe: keep the raw log in this file (.gz .zst .xz .bz2)."),
    "exit_code": Option(flags=("--exit-code",), kind="flag", help="Exit with 1 where something failed or is suspect."),
    "exit_zero": Option(flags=("--exit-zero",), kind="flag", help="As a pipe: exit with 0 even where the run died."),
    "knowledge": Option(flags=("--knowledge", "-k"), kind="paths", help="A folder of your own entries; repeatable."),
    "source_root": Option(flags=("--source-root",), kind="text", help="Where the program's source may be read."),
    "redact": Option(flags=("--redact",), kind="flag", help="Hide secrets, names, hosts and addresses of the log."),
    "share": Option(flags=("--share",), kind="flag", help="A page to pass on: HTML unless --format, and redacted."),
    "lang": Option(flags=("--lang",), kind="text", help="The language of the report: en or zh."),
}


@dataclass(slots=True, kw_only=True)
class Explain:
    """The parsed options of `explain`, and of the pipe."""

    paths: list[str] = field(default_factory=list)
    format: str | None = None
    top: int = 3
    all: bool = False
    why: bool = False
    each: bool = False
    quiet: bool = False
    raw: bool = False
    collapse: bool = False
    log: str | None = None
    exit_code: bool = False
    exit_zero: bool = False
    knowledge: list[Path] = field(default_factory=list)
    source_root: str | None = None
    redact: bool = False
    share: bool = False
    lang: str | None = None


_BY_FLAG = {flag: name for name, option in OPTIONS.items() for flag in option.flags}


def parse(argv: list[str]) -> Explain | None:
    """Parse the arguments of `explain` without typer; None where typer must (help, mistakes, another command)."""
    parsed = Explain()
    words = iter(argv)
    for word in words:
        if word == "--":
            parsed.paths += words
        elif not word.startswith("-") or word == "-":
            parsed.paths.append(word)
        elif not _take(parsed, word, words):
            return None
    return parsed if parsed.format is None or parsed.format in FORMATS else None


def _take(parsed: Explain, word: str, words: object) -> bool:
    flag, sign, value = word.partition("=")
    name = _BY_FLAG.get(flag)
    if name is None:
        return False
    kind = OPTIONS[name].kind
    if kind == "flag":
        setattr(parsed, name, True)
        return not sign
    if not sign:
        value = next(words, "")  # type: ignore[call-overload]
    if not value or (kind == "number" and not value.isdigit()):
        return False
    if kind == "paths":
        from pathlib import Path

        parsed.knowledge.append(Path(value))
    else:
        setattr(parsed, name, int(value) if kind == "number" else value)
    return True
