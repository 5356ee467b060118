"""The styles of prefixes that runners, collectors and loggers put before a line: one ordered table."""

from __future__ import annotations

from errtriage.values import dataclass

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
IP = r"(?:\d{1,3}\.){3}\d{1,3}"
# What only a traceback has right behind a prefix: enough to believe in a label that could be something else.
_SURE = (
    r"(?=Traceback \(most recent call last\)|  File \"|[\w.]{0,80}(?:Error|Exception|Interrupt): |\[(?:rank|default)\d)"
)
LABELLED = r"[A-Za-z][A-Za-z\-]{0,40}\d[\w.\-]{0,40}(?<!\.py)"

# Times that no library writes but its users do; `12/25 00:10:30` alone could be an epoch and its time.
_OWN_CLOCK = rf"{_CLOCK}(?: [AP]M)?"
_OWN_DAY = rf"(?:\d\d-\d\d-\d\d|\d{{8}}|\d\d-\d\d|{_MONTH}[ -]\d\d)[- ]{_OWN_CLOCK}"
_OWN_SHORT = rf"(?:{_OWN_DAY}|{_OWN_CLOCK}|\d\d/\d\d {_OWN_CLOCK})"
_OWN_TIME = (
    rf"(?:{_OWN_SHORT}|{_DATE} \d\d:\d\d|\d\d[-/]\d\d \d\d:\d\d|"
    rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) {_MONTH} [ \d]\d {_CLOCK} \d{{4}})"
)
_SEPARATED = r"(?: ?[:|,-]{1,2} ?| {1,2})"
_NAMED = (
    r"(?:(?:\[[\w.\-: /<>@]{1,60}\]|\{[\w.\-:/<>]{1,80}\}|" + _PLACE + r"|(?!NCCL\b|[A-Z]+\b)" + _NAME + r"|\d{1,7})"
    r"(?: {1,20}(?:[-|:] {1,2})?|[-|:] ?)){0,2}"
)
_LEVELLED = (
    r"[\[(]?(?:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL) {0,8}(?:[\])]:?|[:|-]{1,2})?"
    rf"(?: ?[|-](?= )|(?<=:){_DOTTED}:|(?<=:){_NO_FAULT}\w{{1,60}}:(?=\S))? ?(?=\S|  |$)"
)


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
    Prefix("ray", "(", rf"\((?P<who>.{{0,80}}?\bpid=\d{{1,8}}(?:, ip=(?P<host>{IP}|[\w.:\-]{{1,63}}))?)\)(?: |$)"),
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
    Prefix("pdsh", "*", rf"(?P<host>{IP}|{LABELLED}):(?: |$)", learned=True),
    Prefix("pdsh traceback", "*", rf"(?P<host>{IP}|{LABELLED}): {_SURE}", teaches="pdsh", needs=": "),
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
    # Loggers whose format is their user's own: a time, then what names the logger, its place or thread, then a level.
    Prefix("own format", "[0123456789JFMASOND", rf"\[?(?P<time>{_STAMP})\]?{_SEPARATED}{_NAMED}{_LEVELLED}"),
    Prefix("own format, own time", "[0123456789JFMASONDTW", rf"\[?{_OWN_TIME}\]?{_SEPARATED}{_NAMED}{_LEVELLED}"),
    Prefix(
        "own format, level first",
        "[DIWECF",
        rf"\[?(?:{_LEVEL}|[DIWEC])\]?[ :]{{0,2}}\[?(?P<time>{_STAMP})\]?(?: ?[-|:]{{1,2}})? ?(?=\S|  |$)",
    ),
    Prefix("time alone", "12", rf"(?P<time>{_DATE}[T ]{_CLOCK}(?:Z|[+-]\d\d:?\d\d)?):? (?=\S|  )"),
    Prefix("place and level", "{", rf"\{{{_PLACE}\}} {_LEVEL} - ", needs="} "),
    Prefix("time and place", "[", rf"\[(?:{_STAMP}|\d{{4}} {_CLOCK}) @?{_PLACE}\] ?", needs="] "),
    Prefix(
        "own time alone",
        "[0123JFMASOND",
        rf"(?:\[{_OWN_SHORT}\]|{_OWN_CLOCK}|{_OWN_DAY}|\d\d/\d\d {_CLOCK} [AP]M)(?: ?[:|-])? (?=\S|  )",
    ),
    # Read only: what these say belongs to the line.
    Prefix("glog", "IWEFV", rf"[IWEFV](?P<time>\d{{4}} {_CLOCK}) ", shown=True),
    Prefix("c10 logger", "[", rf"\[[IWEFV](?P<time>\d{{3,4}} {_CLOCK}) ", shown=True),
    Prefix("dmesg", "[", r"\[ {0,6}(?P<time>\d{1,8}\.\d{6})\](?P<kernel>) ", shown=True),
    Prefix(
        "dmesg -T", "[", rf"\[(?P<time>[MTWFS][a-z]{{2}} {_MONTH} [ \d]\d {_CLOCK} \d{{4}})\](?P<kernel>) ", shown=True
    ),
)
