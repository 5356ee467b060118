"""Where a text names machines and people: e-mail addresses, home folders, host names and addresses of networks."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from errtriage.lazy_regex import lazy
from errtriage.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One kind of name: literals one of which stands in its line, a regex, and what tells a name from its doubles.

    Where there are no literals the regex runs over the whole text.
    """

    kind: str
    literals: tuple[str, ...]
    regex: Any
    holds: Callable[[str, Any], bool]


# Hosts that everybody knows: their names tell nothing of the run.
_PUBLIC = lazy(
    r"(?i)(?:[\w-]{1,63}\.){0,4}(?:pytorch|python|pypi|pythonhosted|numpy|scipy|conda|anaconda|github|githubusercontent"
    r"|gitlab|huggingface|hf|wandb|nvidia|ubuntu|debian|kernel|docker|google|googleapis|gnu|llvm|readthedocs|openai"
    r"|anthropic|stackoverflow|example|w3|apache|tensorflow|keras|ray|amazonaws|microsoft|slack|comet|neptune|mlflow"
    r"|lightning|deepspeed|intel|amd|arxiv|kubernetes|k8s|json-schema|schemastore|oasis-open)"
    r"\.(?:org|com|io|ai|co|net|dev|edu|cn)\Z"
)
_GENERIC_USERS = frozenset(
    ["user", "root", "ubuntu", "runner", "work", "app", "home", "shared", "public", "admin", "jovyan", "nobody", "data"]
)
_NO_HOSTS = frozenset(
    ["localhost", "none", "null", "unknown", "the", "name", "memory", "device", "error", "local", "cpu", "cuda", "true",
     "false", "self", "os", "socket", "str", "args", "not", "and", "node", "host", "port", "environ"]
)  # fmt: skip
# Names of packages and words before four numbers that are a version.
_VERSIONED = lazy(
    r"(?i)(?:version|ver|release|build|driver|cu[a-z]{2,12}|cuda\w{0,12}|nccl|tensorrt|nv\w{2,20}|lib\w{0,20}|package"
    r"|toolkit|cu1\d|v)[\"']?\s{0,8}(?:[:=]{1,2}|[<>~!]=|\()?\s{0,8}[\"']?v?\Z"
)
# Ends of names that are those of machines, and ends that programs use for attributes as well (`self.net`, `x.in`).
_SURE_ENDS = ("com", "org", "edu", "gov", "mil", "internal", "intra", "lan", "corp", "localdomain")
_UNSURE_ENDS = (
    "net", "info", "cloud", "local", "cluster", "hpc", "home", "ac", "uk", "us", "eu", "de", "fr", "ch", "it", "es",
    "nl", "be", "at", "se", "fi", "dk", "pl", "cz", "jp", "kr", "cn", "tw", "hk", "sg", "in", "au", "ca", "br", "ru",
)  # fmt: skip
_SURE, _UNSURE = f"(?:{'|'.join(_SURE_ENDS)})", f"(?:{'|'.join(_UNSURE_ENDS)})"
_ENDS = tuple(f".{end}" for end in (*_SURE_ENDS, *_UNSURE_ENDS))
_NODE = (
    r"(?:(?:gpu-?node|compute(?:-node)?|worker-node|node|host|login|dgx|hgx|srv|server|rack|blade)"
    r"(?:-[a-z0-9]{1,12}){0,4}-?\d{1,6}(?:-\d{1,6}){0,4}|(?:gpu|cn|nid)-?\d{2,6}|ip(?:-\d{1,3}){4})"
)
_NODE_WORDS = ("node", "host", "compute", "login", "dgx", "hgx", "srv", "server", "rack", "blade", "gpu", "nid", "ip-")
_HOMES = ("/home/", "/users/", ":\\")

_EMAIL = lazy(r"(?<![\w.+/:-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[A-Za-z]{2,12}(?![\w-])")
# As in a shell's prompt and in ssh's complaints; elsewhere `x@v1.0` names a version.
_PROMPT = r"(?=:[~/\s]|[ \]]?[$#%>] |\s[~/])"
_USER_AT = lazy(r"(?<![\w.+/:@-])(?P<hide>[a-z_][\w.-]{0,31})@(?P<host>[A-Za-z][\w.-]{1,62})" + _PROMPT)
_AT_HOST = lazy(r"(?<=[\w>]@)(?P<hide>[A-Za-z][\w.-]{1,62})" + _PROMPT)
_HOME = lazy(
    r"(?:(?<![\w.])/(?:(?:nfs/|export/|var/|mnt/|data/|lustre/|gpfs/)?home|Users|users)/"
    r"|[A-Za-z]:\\{1,2}(?:Users|Documents and Settings)\\{1,2}|(?<![\w.])/[a-z]/Users/)"
    r"(?P<hide>[^\s/\\:\"'<>|,;()]{1,64})"
)
# The end is found first: a run of labels would be tried at each of its places.
_DOTTED = lazy(
    rf"(?<![\w./@\\-])[A-Za-z0-9][\w-]{{0,62}}(?:\.[\w-]{{1,63}}){{0,5}}\.(?:{_SURE}|{_UNSURE})(?![\w(\[]|\.\w|-\w)"
)
_UNSURE_END = lazy(rf"(?i)\.{_UNSURE}\Z")
_NODES = lazy(rf"(?i)(?<![\w./%@=\\$-]){_NODE}(?![\w-]|\.\w|:[\da-f]{{2}}:|\s?[=(\[])")
# The first sign stands before the look behind it: that is how the search is quick.
_IPV4 = lazy(r"\d(?<![\w.+-]\d)\d{0,2}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w+]|\.\d|-\d)")
_IPV6 = lazy(
    r"[0-9A-Fa-f](?<![\w:.][0-9A-Fa-f])[0-9A-Fa-f]{0,3}:(?:[0-9A-Fa-f]{1,4}:){0,6}:?(?:[0-9A-Fa-f]{1,4}:){0,6}"
    r"[0-9A-Fa-f]{0,4}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?(?![\w:.])"
)
# Where a text says that a name is a host's: NCCL, torchrun's table, Slurm, syslog, variables.
_HOSTS_TOLD = (
    (
        (" nccl ",),
        lazy(r"(?<![\w.-])([A-Za-z][\w.-]{2,62}):\d{1,7}:\d{1,7} \[\d{1,2}\] NCCL "),
    ),
    (("host",), lazy(r"(?i)\bhost(?:name)?\s{0,8}[:=]\s{0,3}[\"']?([A-Za-z][\w.-]{2,62})")),
    ((" cancelled",), lazy(r"\*\*\* (?:JOB|STEP) \S{1,30} ON ([A-Za-z][\w.-]{1,62}) CANCELLED")),
    (
        (" kernel", " systemd", " slurm", " sshd", " cron", " kubelet", " containerd"),
        lazy(
            r"(?m)^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d ([A-Za-z][\w.-]{2,62})"
            r" (?:kernel|systemd|slurm\w*|sshd|CRON|kubelet|containerd)\b"
        ),
    ),
    (("srun: error: ", "slurmstepd-"), lazy(r"(?m)^(?:srun: error: |slurmstepd-)([A-Za-z][\w.-]{2,62})(?=: )")),
    (
        (" on node ", " on host ", " on machine "),
        lazy(r"(?i) on (?:node|host|machine) ([A-Za-z][\w.-]{2,62})"),
    ),
    (
        ("nodename", "nodelist", "master_addr"),
        lazy(r"(?i)(?:nodename|nodelist|master_addr)[\"']?\s{0,3}[:=]\s{0,3}[\"']?([A-Za-z][\w.-]{2,62})"),
    ),
)


def lines_with(text: str, small: str, literals: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of the lines of a text that hold one of the literals; `small` is the text in small letters."""
    found: dict[int, int] = {}
    for literal in literals:
        at = small.find(literal)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            found[text.rfind("\n", 0, at) + 1] = end
            at = small.find(literal, end)
    yield from sorted(found.items())


def in_small(text: str) -> str:
    """Return a text of equal length in small letters."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(one.lower()[:1] for one in text)


def known_hosts(text: str, small: str) -> set[str]:
    """Return the names that a text says are those of hosts."""
    found = {
        match[1].rstrip(".-")
        for literals, regex in _HOSTS_TOLD
        for start, end in lines_with(text, small, literals)
        for match in regex.finditer(text[start:end])
    }
    return {name for name in found if is_host(name)}


def is_host(name: str) -> bool:
    """Return whether a name can be a host's and is no plain word, which would be hidden wherever it stands."""
    small = name.lower()
    if len(small) < 3 or small in _NO_HOSTS or _PUBLIC.match(small):
        return False
    return any(map(str.isdigit, small)) or "-" in small or "." in small


def known_users(text: str, small: str) -> set[str]:
    """Return the names in home folders, which are hidden in other paths, too."""
    lines = lines_with(text, small, _HOMES)
    found = {match["hide"] for start, end in lines for match in _HOME.finditer(text, start, end)}
    return {name for name in found if len(name) > 3 and _is_somebody(name, None)}


def _always(_value: str, _found: Any) -> bool:
    return True


def _is_email(value: str, _found: Any) -> bool:
    return not value.startswith("git@")


def _is_user_at(value: str, found: Any) -> bool:
    return value != "git" and value not in _GENERIC_USERS and is_host(found["host"])


def _is_machine(value: str, _found: Any) -> bool:
    return is_host(value)


def _is_somebody(value: str, _found: Any) -> bool:
    return value.lower() not in _GENERIC_USERS and value[0] not in "<${"


def _is_private_name(value: str, _found: Any) -> bool:
    """Return whether a dotted name is that of a machine rather than of an attribute or of a public site."""
    first, *others = value.split(".")
    if _UNSURE_END.search(value):
        telling = "-" in first or any(map(str.isdigit, first))
        if not telling or (len(others) < 2 and value.endswith(".net")):
            return False
    return not _PUBLIC.match(value) and any(map(str.isalpha, value))


def _is_address(value: str, found: Any) -> bool:
    """Return whether four numbers are an address rather than a version."""
    parts = value.split(".")
    if any(int(part) > 255 or (len(part) > 1 and part[0] == "0") for part in parts):
        return False
    if parts[0] in ("0", "127") or value == "255.255.255.255":
        return False
    return not _VERSIONED.search(found.string[max(0, found.start() - 48) : found.start()])


def _is_address6(value: str, _found: Any) -> bool:
    if "::" not in value and value.count(":") < 7:  # a time, most often
        return False
    try:
        address = ipaddress.IPv6Address(value)
    except ValueError:
        return False
    groups = [part for part in value.split(":") if part]
    known = value.lower().startswith(("fe80:", "fc", "fd", "2", "::ffff:", "64:ff9b"))
    return not address.is_loopback and not address.is_unspecified and (len(groups) > 3 or (known and len(groups) > 1))


PLACES: tuple[Place, ...] = (
    Place(kind="email", literals=("@",), regex=_EMAIL, holds=_is_email),
    Place(kind="user", literals=("@",), regex=_USER_AT, holds=_is_user_at),
    Place(kind="host", literals=("@",), regex=_AT_HOST, holds=_is_machine),
    Place(kind="user", literals=_HOMES, regex=_HOME, holds=_is_somebody),
    Place(kind="host", literals=_ENDS, regex=_DOTTED, holds=_is_private_name),
    Place(kind="ip", literals=(), regex=_IPV4, holds=_is_address),
    Place(kind="ip", literals=(), regex=_IPV6, holds=_is_address6),
    Place(kind="host", literals=_NODE_WORDS, regex=_NODES, holds=_always),
)
