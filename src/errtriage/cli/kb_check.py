"""`kb check`: every mistake of the files named, the time of their regexes, and whether their examples are answered."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from errtriage.cli.kb_trial import Overlap, mistakes_of_examples, overlaps, slow_regexes, undeclared
from errtriage.knowledge import Knowledge, compile_folders, compile_texts, knowledge_dir, read_yaml
from errtriage.knowledge.checks import check_entry
from errtriage.language import LANGUAGES
from errtriage.model import Entry

_OVERLAP_ADVICE = "; name more of the text in this regex, or add a leads_to from the one that comes first to the other"
LONGEST_ENTRY = 80  # lines: an entry that needs more is two faults


def check_paths(paths: Sequence[Path], *, examples: bool, ranked: bool) -> int:
    """Print what is wrong with the entries of folders or files and return the exit status, 0 or 2."""
    folders, files = _sorted_out(paths)
    mistakes = [mistake for file in files if not _is_translation(file) for mistake in _mistakes_of_file(file)]
    compiled = compile_folders([folder for folder in folders if not _is_builtin(folder)])
    knowledge = Knowledge(compiled)
    homes = [knowledge_dir() if _is_builtin(folder) else folder for folder in folders]
    translations = {lang: compile_texts(compiled, homes, lang) for lang in LANGUAGES[1:]}
    told = [one for texts in translations.values() for one in texts["mistakes"]]
    mistakes += [one for one in told if not files or _is_about(one, files)]
    mistakes += [one for one in knowledge.problems if not files or _is_about(one, files)]
    chosen = [entry for entry in knowledge.entries if _is_chosen(Path(entry.origin), folders, files)]
    mistakes += [mistake for entry in chosen for mistake in slow_regexes(entry)]
    if examples:
        mistakes += [mistake for entry in chosen for mistake in mistakes_of_examples(entry, knowledge)]
        found = [overlap for entry in chosen for overlap in overlaps(entry, knowledge)]
        mistakes += [_told(one) + _OVERLAP_ADVICE for one in found if undeclared(one, knowledge)]
        for one in found if ranked else ():
            sys.stdout.write(f"overlap: {_told(one)}\n")
    for mistake in dict.fromkeys(mistakes):
        sys.stdout.write(f"{mistake}\n")
    for warning in _too_long(chosen):
        sys.stdout.write(f"warning: {warning}\n")
    named = {(file.absolute().parent.name, file.stem) for file in files if _is_translation(file)}
    sound = [(lang, name) for lang, texts in translations.items() for name in texts["entries"]]
    if number := len([one for one in sound if one in named or not files]):
        sys.stdout.write(f"{_count(number, 'translation')} sound in shape\n")
    sys.stdout.write(
        f"{_count(len(chosen), 'entry', 'entries')} sound in shape, {_count(len(set(mistakes)), 'mistake')}\n"
    )
    return 2 if mistakes else 0


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _told(one: Overlap) -> str:
    trail = f"{one.entry}.yaml > examples > match[{one.example}]"
    return f"{trail}: {one.other} fits it too ({one.theirs:g} characters pinned down, {one.own:g} by this entry)"


def _sorted_out(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    files = [path for path in paths if path.suffix in (".yaml", ".yml")]
    homes = [file.parent.parent if _is_translation(file) else file.parent for file in files]
    folders = [path for path in paths if path not in files] + homes
    return list(dict.fromkeys(folders)) or [knowledge_dir()], files


def _is_translation(file: Path) -> bool:
    return file.absolute().parent.name in LANGUAGES


def _mistakes_of_file(file: Path) -> Iterator[str]:
    try:
        yield from check_entry(file.name, read_yaml(file))
    except (OSError, ValueError) as error:
        yield f"{file.name}: {error}"


def _is_builtin(folder: Path) -> bool:
    return folder.absolute() == knowledge_dir().absolute() or folder.resolve() == knowledge_dir().resolve()


def _is_about(mistake: str, files: Iterable[Path]) -> bool:
    names = [f"{file.absolute().parent.name}/{file.name}" if _is_translation(file) else file.name for file in files]
    return any(mistake.startswith((f"{name}:", f"{name} >")) for name in names)


def _is_chosen(origin: Path, folders: Iterable[Path], files: Sequence[Path]) -> bool:
    among = [file.resolve() for file in files]
    return origin.resolve() in among if among else origin.resolve().parent in [folder.resolve() for folder in folders]


def _too_long(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        lines = Path(entry.origin).read_bytes().count(b"\n")
        if lines > LONGEST_ENTRY:
            yield f"{Path(entry.origin).name}: {lines} lines; {LONGEST_ENTRY} are enough for one fault"
