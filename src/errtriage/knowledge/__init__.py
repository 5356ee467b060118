"""The knowledge base: YAML files to checked entries, compiled once and then read without YAML."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from errtriage import TYPE_CHECKING, __version__
from errtriage.errors import KnowledgeError
from errtriage.knowledge import cache as knowledge_cache
from errtriage.knowledge.data import entry as entry_of
from errtriage.knowledge.data import match_of, meets, translated
from errtriage.model import Entry, Match

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from errtriage.knowledge.candidates import Candidates

_MANY = 64  # events of one kind from which on an index of what the rows need is earned back


class Knowledge:
    """The entries of the built-in folder and of users' folders; each is made when it is first asked for."""

    def __init__(self, compiled: Mapping[str, Any], texts: Mapping[str, Any] | None = None, lang: str = "en") -> None:
        """Take the plain compiled form, and that of its translations; the public way is `load_knowledge`."""
        self.lang = lang
        self._texts = texts
        self._compiled = compiled["entries"]
        self._made: dict[str, Entry] = {}
        self._dumped_rows = compiled["rows"]
        self._rows: dict[str, Sequence[Any]] = {}
        self._matches: dict[tuple[str, int], Match] = {}
        self._asked: dict[str, int] = {}  # how often for the candidates of a kind
        self._indexes: dict[str, Candidates] = {}
        self.ids: tuple[str, ...] = tuple(self._compiled)
        self.users: frozenset[str] = frozenset(compiled["users"])  # ids of entries that did not come with errtriage
        self.literals: frozenset[str] = frozenset(compiled["literals"])
        self.problems: tuple[str, ...] = (*compiled["mistakes"], *compiled["problems"])  # trails of what was left out
        if texts is not None:
            self.problems += tuple(texts["mistakes"])
        self.digest: str = compiled["digest"]

    def entry(self, name: str) -> Entry:
        """Return an entry by its id. Raises KeyError."""
        made = self._made.get(name)
        if made is None:
            data, needs, _, origin = knowledge_cache.load(self._compiled[name])
            file = os.path.join(_home(), origin)  # noqa: PTH118 - an absolute origin stays as it is
            if self._texts is not None:
                texts = self._texts["entries"].get(name)
                data = translated(data, texts and knowledge_cache.load(texts), self._texts["sentences"])
            made = self._made[name] = entry_of(data, needs, file)
        return made

    def rows(self, kind: str) -> tuple[tuple[str, Match], ...]:
        """Return the matches of all entries on a kind of event, or on `(metric)`, `(derived)`, `(source)`, with ids."""
        return tuple(
            (self._plain(kind)[number][0], self._match(kind, number)) for number in range(len(self._plain(kind)))
        )

    def candidates(self, kind: str, fields: Mapping[str, str]) -> Iterator[tuple[str, Match]]:
        """Yield those rows of a kind whose needed literals the fields hold, without making the others."""
        asked = self._asked[kind] = self._asked.get(kind, 0) + 1
        if asked > _MANY:
            from errtriage.knowledge.candidates import Candidates

            index = self._indexes.get(kind) or self._indexes.setdefault(kind, Candidates(self._plain(kind)))
            numbers = index.of(fields)
        else:
            numbers = [number for number, (_, needs, _) in enumerate(self._plain(kind)) if meets(needs, fields)]
        for number in numbers:
            yield self._plain(kind)[number][0], self._match(kind, number)

    def _plain(self, kind: str) -> Sequence[Any]:
        found = self._rows.get(kind)
        if found is None:
            blob = self._dumped_rows.get(kind)
            found = self._rows[kind] = knowledge_cache.load(blob) if blob is not None else ()
        return found

    def _match(self, kind: str, number: int) -> Match:
        made = self._matches.get((kind, number))
        if made is None:
            _, needs, item = self._plain(kind)[number]
            made = self._matches[kind, number] = match_of(knowledge_cache.load(item), needs)
        return made

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, by id."""
        return tuple(self.entry(name) for name in self.ids)

    @cached_property
    def by_id(self) -> Mapping[str, Entry]:
        """All entries under their ids and under the ids that they once had."""
        now = {entry.id: entry for entry in self.entries}
        return {old: entry for entry in self.entries for old in entry.renamed_from} | now

    def tagged(self, tag: str) -> tuple[Entry, ...]:
        """Return the entries that bear a tag."""
        return tuple(entry for entry in self.entries if tag in entry.tags)


def load_knowledge(
    folders: Sequence[Path] = (), *, builtin: bool = True, strict: bool = False, lang: str = "en"
) -> Knowledge:
    """Return the built-in entries and those of users' folders; a user's entry takes the place of one of the same id.

    An entry with mistakes is left out and told in `problems`. With `strict` mistakes in built-in files raise
    KnowledgeError, all of them at once; a wheel is built of sound files only. The texts are in the language asked for
    where there is a translation, else in English.
    """
    compiled = _compiled(folders, builtin=builtin)
    if strict and compiled["mistakes"]:
        raise KnowledgeError(compiled["mistakes"])
    if lang == "en":
        return Knowledge(compiled)
    texts = _texts(compiled, folders, lang, builtin=builtin)
    if strict and texts["mistakes"]:
        raise KnowledgeError(texts["mistakes"])
    return Knowledge(compiled, texts, lang)


def _compiled(folders: Sequence[Path], *, builtin: bool) -> Mapping[str, Any]:
    """Return the compiled form: the shipped one, else the cached one, else made of the files and cached."""
    shipped = _home()
    if builtin and not folders:
        ready: Mapping[str, Any] | None = knowledge_cache.read_shipped(shipped, __version__)
        if ready is not None:
            return ready
    all_folders: list[str | Path] = [shipped, *folders] if builtin else [*folders]
    key = knowledge_cache.key_of([os.path.abspath(folder) for folder in all_folders], f"{__version__} {builtin}")  # noqa: PTH100
    compiled: Mapping[str, Any] | None = knowledge_cache.read_cached(key)
    if compiled is None:
        base = _compiled((), builtin=True) if builtin and folders else None
        compiled = compile_folders(folders, builtin=builtin, base=base)
        knowledge_cache.write_cached(key, compiled)
    return compiled


def _texts(compiled: Mapping[str, Any], folders: Sequence[Path], lang: str, *, builtin: bool) -> Mapping[str, Any]:
    """Return the compiled translations: the shipped ones, else the cached ones, else made of the files and cached."""
    shipped = knowledge_dir()
    if builtin and not folders:
        name = knowledge_cache.SHIPPED_TEXTS.format(lang=lang)
        ready: Mapping[str, Any] | None = knowledge_cache.read_shipped(shipped, __version__, name)
        if ready is not None:
            return ready
    homes = [folder.absolute() for folder in ([shipped, *folders] if builtin else folders)]
    key = knowledge_cache.key_of([*homes, *(home / lang for home in homes)], f"{__version__} {builtin} {lang}")
    texts: Mapping[str, Any] | None = knowledge_cache.read_cached(key)
    if texts is None:
        texts = compile_texts(compiled, homes, lang)
        knowledge_cache.write_cached(key, texts)
    return texts


def compile_texts(compiled: Mapping[str, Any], folders: Sequence[Path], lang: str) -> Mapping[str, Any]:
    """Return the plain form of the translations that lie in the folders, each over an entry of its own folder."""
    from errtriage.knowledge.translations import compile_translations

    beside: dict[Path, dict[str, Any]] = {folder.absolute(): {} for folder in folders}
    for name, blob in compiled["entries"].items():
        data, _, _, origin = knowledge_cache.load(blob)
        home = (knowledge_dir() / origin).parent.absolute()
        if home in beside:
            beside[home][name] = data
    return compile_translations(list(beside.items()), lang, read_yaml, knowledge_cache.dump)


def compile_folders(
    folders: Sequence[Path], *, builtin: bool = True, base: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    """Return the plain compiled form of all sound entries.

    It holds the `mistakes` of built-in entries and the `problems` of users' entries as trails. `base` is the compiled
    form of the built-in folder, where it is at hand.
    """
    import hashlib

    from errtriage.knowledge.files import compile_files, files_of, join, read_folder

    mistakes: list[str] = []
    problems: list[str] = []
    files = []
    if base is not None:
        files, mistakes = files_of(base, knowledge_dir(), knowledge_cache.load), list(base["mistakes"])
    elif builtin:
        files, mistakes = read_folder(knowledge_dir(), read_yaml, builtin=True)
    for folder in folders:
        found, wrong = read_folder(folder, read_yaml, builtin=False)
        files += found
        problems += wrong
    entries, wrong, left_out = join(files, {trail.partition(".yaml")[0] for trail in mistakes})
    compiled = compile_files(entries, knowledge_cache.dump)
    content = knowledge_cache.dump([entries[name].data for name in sorted(entries)])
    return {
        **compiled,
        "mistakes": list(dict.fromkeys([*mistakes, *wrong])),
        "problems": [*problems, *left_out],
        "digest": hashlib.sha256(content).hexdigest()[:12],
    }


def knowledge_dir() -> Path:
    """Return the folder of the built-in entries: inside the package, or `knowledge/` of a checkout."""
    from pathlib import Path

    return Path(_home())


def _home() -> str:
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib takes longer to import than this
    packaged = os.path.normpath(f"{here}/../_knowledge")
    return packaged if os.path.isdir(packaged) else os.path.normpath(f"{here}/../../../knowledge")  # noqa: PTH112


def configured_folders(where: Path | None = None) -> tuple[Path, ...]:
    """Return the folders named by ERRTRIAGE_KNOWLEDGE, and by `[tool.errtriage] knowledge` of pyproject.toml.

    `where` is the folder that holds pyproject.toml (default: the working folder); paths in it count from there.
    """
    named = [part for part in os.environ.get("ERRTRIAGE_KNOWLEDGE", "").split(os.pathsep) if part]
    home = "" if where is None else where
    try:
        with open(os.path.join(home, "pyproject.toml"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            text = file.read()
    except (OSError, ValueError):
        text = ""
    if "tool.errtriage" in text:
        named += [os.path.join(home, part) for part in _folders_in(text)]  # noqa: PTH118
    if not named:
        return ()
    from pathlib import Path

    return tuple(map(Path, named))


def _folders_in(pyproject: str) -> list[str]:
    if sys.version_info >= (3, 11):
        import tomllib

        try:
            folders = tomllib.loads(pyproject)["tool"]["errtriage"]["knowledge"]
        except (tomllib.TOMLDecodeError, KeyError, TypeError):
            return []
        return [part for part in folders if isinstance(part, str)] if isinstance(folders, list) else []
    return _folders_by_eye(pyproject)  # Python 3.10 has no reader of TOML


def _folders_by_eye(pyproject: str) -> list[str]:
    import re

    table = re.search(r"^\[tool\.errtriage\]\s*$(.*?)(?=^\[|\Z)", pyproject, re.MULTILINE | re.DOTALL)
    listed = re.search(r"^\s*knowledge\s*=\s*\[([^\]]*)\]", table[1], re.MULTILINE) if table else None
    return re.findall(r"[\"']([^\"'\n]+)[\"']", listed[1]) if listed else []


def read_yaml(path: Path) -> Any:
    """Return the data of a YAML file. Raises ValueError, with the place, where it is none or a key stands twice."""
    import yaml

    try:
        return yaml.load(path.read_bytes(), Loader=_loader(yaml))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}, " if mark else ""
        raise ValueError(f"{place}{error.problem}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error).splitlines()[0]) from None


def _loader(yaml: Any) -> Any:
    """Return the safe loader, made to refuse a key that stands twice."""
    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            seen = set()
            for key, _ in node.value:
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} stands twice", key.start_mark
                    )
                seen.add(key.value)
            made: dict[Any, Any] = super().construct_mapping(node, deep=deep)
            return made

    return Loader
