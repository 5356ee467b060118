"""The prefixes that runners, collectors and loggers put before a line: one ordered table, stripped one by one."""

from __future__ import annotations

from functools import lru_cache

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.lines.clock import seconds
from errtriage.regex_store import compiled
from errtriage.values import dataclass, field

if TYPE_CHECKING:
    import re

MOST = 8  # prefixes that are stripped from one line

_DATE = r"\d{4}[-/]\d\d[-/]\d\d"
_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_ISO = rf"{_DATE}T{_CLOCK}(?:Z|[+-]\d\d:?\d\d)?"
_STAMP = rf"(?:{_DATE}[T ]{_CLOCK}(?:Z|[+-]\d\d:?\d\d)?|\d\d/\d\d/(?:\d{{4}}|\d\d) {_CLOCK})"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_LEVEL = (
    r"(?:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL|SUCCESS|TRACE|"
    r"debug|info|warn(?:ing)?|error|critical|fatal)"
)
# Python indents by even numbers: an odd number of spaces means that one belongs to the prefix.
_ODD = r"(?: (?=(?:  ){0,60}\S))?"
_NAME = r"[A-Za-z_<][\w.<>/\-]{0,100}"
# A logger's name before a colon must look like one: `RuntimeError: `, `loss: ` and `a.py:3: UserWarning: ` are text.
_NO_FAULT = r"(?![\w.]{0,100}(?:Error|Exception|Warning|Interrupt|Exit)\b)"
_DOTTED = rf"{_NO_FAULT}(?:root|__main__|[A-Za-z_]\w{{0,60}}(?:\.\w{{1,60}}){{1,8}})"
_PLACE = r"[\w.\-/<>]{1,100}:\d{1,6}(?::[\w.<>]{1,60})?"
_IP = r"(?:\d{1,3}\.){3}\d{1,3}"
# What only a traceback has right behind a prefix: enough to believe in a label that could be something else.
_SURE = (
    r"(?=Traceback \(most recent call last\)|  File \"|[\w.]{0,80}(?:Error|Exception|Interrupt): |\[(?:rank|default)\d)"
)
_LABELLED = r"[A-Za-z][A-Za-z\-]{0,40}\d[\w.\-]{0,40}(?<!\.py)"


@dataclass(frozen=True, slots=True)
class Prefix:
    """One style. Named groups say what the prefix tells; `starts` are the characters that it can begin with.

    Groups: rank (global), said (a rank without a stream of its own), local (rank on its node), task (srun), who (any
    other stream's name), host, stream, time, kernel (of the operating system).
    `shown` prefixes are read but stay in the text; `learned` ones count only where the source is known to use their
    labels, which a window's lines or an unmistakable prefix (`teaches` the named style) can show. Only a line that
    holds `needs` is looked at.
    """

    name: str
    starts: str
    regex: str
    shown: bool = False
    learned: bool = False
    teaches: str = ""
    needs: str = ""


PREFIXES = (
    # Launchers and collectors: one space at most belongs to the prefix, the rest is indentation.
    # c10's logger prefixes only the first line of a message, so that this names a rank and no stream of its own.
    Prefix("torch log rank", "[", r"\[rank(?P<said>\d{1,6})\]:(?=\[[IWEF](?:\d{3,4})? )"),
    Prefix("torch rank", "[", r"\[rank-?(?P<rank>\d{1,6})\](?:: ?| )"),
    Prefix("torchrun --tee", "[", r"\[(?P<who>(?:default|trainer|worker)(?P<local>\d{1,4}))\]:" + _ODD),
    Prefix(
        "mpirun --tag-output",
        "[",
        r"\[(?:[\w.@\-]{1,80},)?(?:mpirank:)?(?P<rank>\d{1,6})(?:,(?P<host>[\w.\-]{1,63}))?\]"
        r"<(?P<stream>stdout|stderr|stddiag)>:" + _ODD,
    ),
    Prefix("kubectl --prefix", "[", r"\[pod/(?P<who>[^\]\s/]{1,253}/[^\]\s]{1,63})\] "),
    Prefix(
        "node and local rank",
        "[",
        r"\[(?P<host>(?:node|host|worker|gpu|cn|nid|ip)[\w\-]{0,60}):(?P<local>\d{1,4})\](?:: ?| )",
    ),
    Prefix("ray", "(", rf"\((?P<who>.{{0,80}}?\bpid=\d{{1,8}}(?:, ip=(?P<host>{_IP}|[\w.:\-]{{1,63}}))?)\)(?: |$)"),
    Prefix(
        "ray daemon", "(", r"\((?P<who>raylet|gcs_server|autoscaler|dashboard)(?:, ip=(?P<host>[\w.:\-]{1,63}))?\) "
    ),
    Prefix("horovodrun", "MTWFS", rf"(?P<time>[MTWFS][a-z]{{2}} {_MONTH} [ \d]\d {_CLOCK} \d{{4}})(?=\[\d+\]<std)"),
    Prefix("mpiexec -l", "[", r"\[(?P<rank>\d{1,6})\](?: |$)", learned=True),
    Prefix("mpiexec traceback", "[", rf"\[(?P<rank>\d{{1,6}})\] {_SURE}", teaches="mpiexec -l"),
    Prefix("gitlab", "12", rf"(?P<time>{_ISO}) \d\d[OE](?: |\+|$)"),
    Prefix("cri", "12", rf"(?P<time>{_ISO}) (?P<stream>stdout|stderr) [FP](?: |$)"),
    Prefix(
        "journald iso",
        "12",
        rf"(?P<time>{_ISO}) (?P<host>[\w.\-]{{1,63}}) "
        r"(?:(?P<who>[\w.@/\-]{1,80}\[\d{1,8}\]): |(?=(?P<kernel>kernel): ))",
    ),
    Prefix("kubectl --timestamps", "12", rf"(?P<time>{_DATE}T\d\d:\d\d:\d\d\.\d{{6,9}}(?:Z|[+-]\d\d:\d\d))(?: |$)"),
    Prefix("log viewer", " |", rf" {{0,4}}\| (?P<time>{_ISO}) \| ", needs="| "),
    Prefix("redirected stream", "12", rf"(?P<time>{_STAMP}) \| {_LEVEL} {{0,5}}\| (?P<stream>stdout|stderr) \|(?: |$)"),
    Prefix(
        "journald",
        "JFMASOND",
        rf"(?P<time>{_MONTH} [ \d]\d {_CLOCK}) (?P<host>[\w.\-]{{1,63}}) "
        r"(?:(?=(?P<kernel>kernel): )|(?P<who>[\w.@/()\-]{1,80}(?:\[\d{1,8}\])?):(?: |$))",
        needs=":",
    ),
    Prefix("relayed stream", "s", r"(?P<stream>stdout|stderr):(?: |$)"),
    Prefix("month, day and clock", "JFMASOND", rf"(?P<time>{_MONTH} [ \d]\d {_CLOCK}) (?=\S|  )"),
    Prefix("rank with colon", "r", r"rank(?P<rank>\d{1,6}):(?: |$)"),
    Prefix("srun --label", " 0123456789", r" {0,5}(?P<task>\d{1,6}):(?: |$)", learned=True),
    Prefix(
        "srun traceback", " 0123456789", rf" {{0,5}}(?P<task>\d{{1,6}}): {_SURE}", teaches="srun --label", needs=": "
    ),
    Prefix("compose", "*", r"(?P<who>(?=[\w.\-]{0,62}\d)[A-Za-z][\w.\-]{0,62}) {1,40}\|(?: |$)", learned=True),
    Prefix("pdsh", "*", rf"(?P<host>{_IP}|{_LABELLED}):(?: |$)", learned=True),
    Prefix("pdsh traceback", "*", rf"(?P<host>{_IP}|{_LABELLED}): {_SURE}", teaches="pdsh", needs=": "),
    # Loggers.
    Prefix(
        "ci command", "#:", r"##\[(?:error|warning|command|section|debug)\]|::(?:error|warning|notice)[^:\n]{0,200}::"
    ),
    Prefix("gitlab section", "s", r"section_(?:start|end):\d{9,11}:[\w.\-]{1,100}(?:\[[^\]\n]{0,100}\])?(?:\s|$)"),
    Prefix("transformers", "[", rf"\[{_LEVEL}\|[^\]|\n]{{1,100}}:\d{{1,6}}\] (?P<time>{_STAMP}) >> ?", needs=">>"),
    Prefix(
        "rich handler",
        "[",
        rf"\[(?P<time>\d\d/\d\d/\d\d {_CLOCK})\] (?:DEBUG {{4}}|INFO {{5}}|WARNING {{2}}|ERROR {{4}}|CRITICAL )",
    ),
    Prefix("detectron2", "[", rf"\[(?P<time>\d\d/\d\d {_CLOCK})(?: [\w.\-]{{1,80}})?\]: (?:{_LEVEL}: )?"),
    Prefix(
        "detectron2 level", "DIWECF", rf"{_LEVEL} \[(?P<time>\d\d/\d\d {_CLOCK})(?: [\w.\-]{{1,80}})?\]: ", needs="]: "
    ),
    Prefix(
        "bracketed time",
        "[",
        rf"\[(?P<time>{_STAMP})(?:,? ?{_LEVEL}| [\w.\-]{{1,60}} {_LEVEL})?\]:?"
        rf"(?:(?: ?\[{_NAME}\])? ?\[ {{0,6}}{_LEVEL} {{0,6}}\](?: -)?)?"
        rf"(?: ?\[{_PLACE}\])?(?: {_NAME}: \[{_LEVEL}\])?(?: ?- (?:{_NAME} - )?{_LEVEL} -)?(?: |$)",
    ),
    Prefix(
        "time and fields",
        "0123",
        rf"(?P<time>{_STAMP}) ?(?:\| {_LEVEL} {{0,5}}\|(?: {_NAME}(?::{_NAME})?(?::\d{{1,6}})? {{0,20}}[-|])?|"
        rf"- (?:{_NAME} - ){{0,2}}{_LEVEL} {{0,4}}(?: -(?: {_NAME} -| {_DOTTED}:)?|:)(?: \d{{1,6}} -)?|"
        rf"(?:\[{_LEVEL} {{0,6}}\]|{_LEVEL}):?"
        rf"(?: {{1,4}}(?:{_DOTTED}:|\[{_PLACE}\]:?(?: --?)?|{_PLACE}:?(?: --?)?(?! \w*Warning: )))?)"
        r"(?: |$)",
    ),
    Prefix(
        "composer",
        "12",
        rf"(?P<time>{_STAMP}): rank(?P<rank>\d{{1,6}})\[\d+\]\[[^\]\n]{{1,60}}\]: {_LEVEL}: (?:{_NAME}: )?",
    ),
    Prefix("nemo", "[", rf"\[NeMo [DIWE] (?P<time>{_STAMP}) [\w.\-:]{{1,80}}\](?: |$)", needs="[NeMo "),
    Prefix("submitit", "s", rf"submitit {_LEVEL} \((?P<time>{_STAMP})\) - ", needs="submitit "),
    Prefix("short date and fields", "01", rf"(?P<time>\d\d[/-]\d\d {_CLOCK}) - (?:{_NAME} - )?{_LEVEL} -(?: |$)"),
    Prefix(
        "level first",
        "DIWEC",
        rf"{_LEVEL} {{0,4}}- (?P<time>{_STAMP}) -(?: \d{{1,4}}:\d\d:\d\d -)?(?: |$)",
        needs=" -",
    ),
    Prefix(
        "vllm", "DIWEC", rf"{_LEVEL} {{1,4}}(?P<time>\d\d-\d\d {_CLOCK}) (?:\[{_PLACE}\]|{_PLACE}\])(?: |$)", needs="]"
    ),
    Prefix(
        "logging.BASIC_FORMAT",
        "DIWEC",
        rf"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):{_NO_FAULT}[A-Za-z_][\w.\-]{{0,120}}:(?=\S|  |$)",
        needs=":",
    ),
    Prefix("time alone", "12", rf"(?P<time>{_DATE}[T ]{_CLOCK}(?:Z|[+-]\d\d:?\d\d)?):? (?=\S|  )"),
    # Read only: what these say belongs to the line.
    Prefix("glog", "IWEFV", rf"[IWEFV](?P<time>\d{{4}} {_CLOCK}) ", shown=True),
    Prefix("c10 logger", "[", rf"\[[IWEFV](?P<time>\d{{3,4}} {_CLOCK}) ", shown=True),
    Prefix("dmesg", "[", r"\[ {0,6}(?P<time>\d{1,8}\.\d{6})\](?P<kernel>) ", shown=True),
    Prefix(
        "dmesg -T", "[", rf"\[(?P<time>[MTWFS][a-z]{{2}} {_MONTH} [ \d]\d {_CLOCK} \d{{4}})\](?P<kernel>) ", shown=True
    ),
)


Known = dict[str, set[str]]  # the kinds of labels that a source uses, by the style of their prefix

_RANK_WITHIN = lazy(r"\brank=(\d{1,6})")  # (Worker rank=1 pid=12)
_NUMBER = lazy(r"\d+")


@dataclass(slots=True)
class Stripped:
    """What the prefixes of one line said, and where its text begins."""

    start: int = 0
    who: list[str] = field(default_factory=list)
    rank: int | None = None
    host: str | None = None
    time: float | None = None
    stream: str | None = None
    used: list[str] = field(default_factory=list)


@lru_cache(maxsize=512)
def _starting_with(character: str) -> tuple[Prefix, ...]:
    """Return the prefixes that can begin with a character."""
    return tuple(
        prefix for prefix in PREFIXES if character in prefix.starts or (prefix.starts == "*" and character.isalnum())
    )


def strip(text: str, known: Known, year: int | None = None) -> Stripped | None:
    """Return what the prefixes of a line say, or None where it has none; `known` are the labels that the source uses.

    A label that the line itself makes certain is added to `known`.
    """
    found: Stripped | None = None
    start = 0
    for _ in range(MOST):
        if start >= len(text):
            break
        for prefix in _starting_with(text[start]):
            if prefix.needs not in text or (prefix.learned and prefix.name not in known):
                continue
            match = compiled(prefix.regex).match(text, start)
            if match is None or (prefix.learned and _kind(match[1]) not in known[prefix.name]):
                continue
            if found is not None and prefix.name in found.used:
                continue  # the same style twice is text
            found = found or Stripped()
            _note(found, prefix, match, year)
            if prefix.teaches:
                known.setdefault(prefix.teaches, set()).add(_kind(match[1]))
            break
        else:
            break
        if prefix.shown:
            break
        start = found.start = match.end()
    return found


def _kind(label: str) -> str:
    """Return a label with its numbers as one sign: node01 and node57 are of one kind."""
    return _NUMBER.sub("0", label)


def _note(found: Stripped, prefix: Prefix, match: re.Match[str], year: int | None) -> None:
    groups = match.groupdict()
    found.used.append(prefix.name)
    who, host, rank, task = groups.get("who"), groups.get("host"), groups.get("rank"), groups.get("task")
    if who and (within := _RANK_WITHIN.search(who)):
        rank = within[1]
    if (told := rank or groups.get("said")) is not None:
        found.rank = int(told)  # before what a task or a local rank made likely
    elif found.rank is None and (task or groups.get("local")) is not None:
        found.rank = int(task or groups["local"])
    if host:
        found.host = found.host or host
        found.who += [host] if host not in (who or "") and host not in found.who else []
    if who:
        found.who.append(who)
    elif task is not None:
        found.who.append(f"task{int(task)}")
    elif groups.get("local") is not None:
        found.who.append(f"local{int(groups['local'])}")
    elif rank is not None and not any("pid=" in part for part in found.who):
        found.who.append(f"rank{int(rank)}")
    if groups.get("kernel") is not None:
        found.who.append("kernel")
    found.stream = found.stream or groups.get("stream")
    if groups.get("time") and found.time is None:
        found.time = seconds(groups["time"], year)


# Styles that only their neighbours make plausible.
_LABELS = {
    "srun --label": rb"(?m)^ {0,5}(\d{1,6}):(?= |\r?$)",
    "pdsh": rf"(?m)^({_IP}|{_LABELLED}):(?= |\r?$)".encode(),
    "mpiexec -l": rb"(?m)^\[(\d{1,6})\](?= |\r?$)",
    "compose": rb"(?m)^((?=[\w.\-]{0,62}\d)[A-Za-z][\w.\-]{0,62}) {1,40}\|(?= |\r?$)",
}
_SHARE = 0.6  # of the lines that must carry such a prefix
_FEWEST = 4
_LEARNED_FROM = 64 * 1024  # bytes at the start of a source
_YEAR = lazy(rb"(?:^|[\s\[])((?:19|20)\d\d)[-/]\d\d[-/]\d\d[T ]\d\d:\d\d")


def learn(window: bytes) -> tuple[Known, int | None]:
    """Return the ambiguous labels that a source uses, and the year that it names, from its first window."""
    start = window[:_LEARNED_FROM]
    rows = start.count(b"\n") + 1
    known: Known = {}
    for name, regex in _LABELS.items():
        labels = compiled(regex).findall(start)
        if len(labels) >= max(_FEWEST, _SHARE * rows) and len(set(labels)) <= len(labels) / 2:
            known[name] = {_kind(label.decode("ascii")) for label in labels}
    year = _YEAR.search(start)
    return known, int(year[1]) if year else None
