"""The score table: named terms add up to the log-odds that an explanation is the right first answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from errtriage.link import Graph, Node, is_in_metric_code
from errtriage.model import Group, Term
from errtriage.unrecognised import CUT, ENTRY
from errtriage.values import dataclass

BIAS = -0.4

# Points of each term; fitted on logs with known answers and read by nothing else.
POINTS: Mapping[str, float] = {
    "cause": 1.0,
    "symptom": -1.0,
    "cascade": -3.0,
    "fatal": 1.2,
    "error": 0.8,
    "silent": 0.6,
    "warning": -0.6,
    "note": -2.5,
    "specific": 1.0,
    "unrecognised": -3.0,
    "explains": 0.6,
    "first-fatal": 0.8,
    "first-in-rank": 0.3,
    "user-frame": 0.3,
    "lifted-cause": 0.4,
    "initiator": 1.0,
    "victim": -1.5,
    "recovered": -3.5,
    "ignored": -3.0,
    "raised": 3.3,
    "measures-only": -2.0,
    "beside-a-fatal-fault": -1.0,
    "nothing-else": 2.6,
    "order-unknown": -4.0,
}
# An exception that no entry knows is doubted as an answer, but still is the first place to look.
_DOUBT_ALONE = 1.8
_SPECIFIC_AT = 40.0  # characters pinned down that earn the whole term


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What the log says around the faults; groups are told by `id`."""

    recovered: frozenset[int] = frozenset()
    initiators: frozenset[int] = frozenset()
    victims: frozenset[int] = frozenset()
    unordered: frozenset[int] = frozenset()  # of several ranks, where nobody can tell which failed first
    lifted: frozenset[str] = frozenset()  # ids of entries one of whose causes has evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A node with its terms; `confidence` is meant as the frequency with which such an answer is right."""

    node: int
    terms: tuple[Term, ...]

    @property
    def log_odds(self) -> float:
        """The sum of all terms."""
        return sum(term.points for term in self.terms)

    @property
    def precedence(self) -> float:
        """What roots are ordered by: the log-odds, less the doubt that is no reason to look elsewhere first."""
        unordered = sum(term.points for term in self.terms if term.name == "order-unknown")
        return self.log_odds - unordered + _DOUBT_ALONE * any(term.name == "unrecognised" for term in self.terms)

    @property
    def confidence(self) -> float:
        """The logistic value of the sum, from 0 to 1."""
        return round(1.0 / (1.0 + math.exp(-self.log_odds)), 4)


def rank(graph: Graph, around: Circumstances) -> tuple[Ranked, ...]:
    """Return all nodes, roots by falling log-odds, each followed by its effects."""
    scored = {index: Ranked(node=index, terms=_terms(graph, index, around)) for index in range(len(graph.nodes))}
    roots = [index for index in scored if not graph.causes_of(index)]
    roots.sort(key=lambda index: (-scored[index].precedence, index))
    ordered: list[Ranked] = []
    placed: set[int] = set()
    for root in roots:
        for index in [*_named_wrappers(graph, root), root, *graph.effects_of(root)]:
            if index not in placed:
                placed.add(index)
                ordered.append(scored[index])
    return tuple(ordered)


def _named_wrappers(graph: Graph, root: int) -> list[int]:
    """Return the known faults that wrap an exception which no entry knows: they say more of it, and stand first."""
    if graph.nodes[root].entry.id != "unrecognised-exception":
        return []
    wrappers = [edge.effect for edge in graph.edges if edge.cause == root]
    return [index for index in wrappers if graph.wraps_unknown(index)]


def _terms(graph: Graph, index: int, around: Circumstances) -> tuple[Term, ...]:
    node = graph.nodes[index]
    found = [Term(name="bias", points=BIAS)]
    for name, test in TERMS.items():
        because = test(graph, index, around)
        if because is not None:
            share, words = because
            found.append(Term(name=name, points=round(POINTS[name] * share, 3), because=words))
    return (_role(node), _severity(graph, index), *found)


def _role(node: Node) -> Term:
    words = {"cause": "It can be the cause itself.", "symptom": "It is what a fault looks like from outside."}
    role = node.entry.role
    return Term(name=role, points=POINTS[role], because=words.get(role, "It follows from another fault."))


def _severity(graph: Graph, index: int) -> Term:
    worst = min([index, *graph.effects_of(index)], key=lambda one: _GRAVITY[graph.nodes[one].entry.severity])
    severity = graph.nodes[worst].entry.severity
    own = "" if worst == index else f", through {graph.nodes[worst].entry.id}"
    return Term(name=severity, points=POINTS[severity], because=f"Its worst effect is {severity}{own}.")


_GRAVITY = {name: number for number, name in enumerate(("fatal", "error", "silent", "warning", "note"))}

# What a test returns: nothing, or the share of its points that are earned and the reason in words.
_Test = Callable[[Graph, int, Circumstances], "tuple[float, str] | None"]


def _specific(graph: Graph, index: int, _: Circumstances) -> tuple[float, str] | None:
    pinned = max(hit.specificity for hit in graph.nodes[index].hits)
    share = min(1.0, pinned / _SPECIFIC_AT)
    return share, f"Its text is told apart by {pinned:.0f} characters."


def _unrecognised(graph: Graph, index: int, _: Circumstances) -> tuple[float, str] | None:
    which = graph.nodes[index].entry.id
    if which == CUT.id:
        return 0.5, "The log ends before the line that names the exception."
    return (1.0, "No entry knows this exception.") if which == ENTRY.id else None


def _explains(graph: Graph, index: int, _: Circumstances) -> tuple[float, str] | None:
    effects = graph.effects_of(index)
    if not effects:
        return None
    noun = "fault" if len(effects) == 1 else "faults"
    return min(2.0, 1.0 + 0.5 * (len(effects) - 1)), f"It explains {len(effects)} other {noun}."


def _first_fatal(graph: Graph, index: int, around: Circumstances) -> tuple[float, str] | None:
    fatal = [one for one in range(len(graph.nodes)) if _is_fatal(graph, one, around)]
    return (1.0, "It is the first fatal event of the log.") if fatal[:1] == [index] else None


def _first_in_rank(graph: Graph, index: int, around: Circumstances) -> tuple[float, str] | None:
    node = graph.nodes[index]
    for rank_number in sorted(node.ranks):
        mine = [i for i, other in enumerate(graph.nodes) if rank_number in other.ranks and _is_fatal(graph, i, around)]
        if mine[:1] == [index]:
            return 1.0, f"It is the first fatal event of rank {rank_number}."
    return None


def _is_fatal(graph: Graph, index: int, around: Circumstances) -> bool:
    node = graph.nodes[index]
    groups = node.groups
    lives = not groups or any(id(group) not in around.recovered for group in groups)
    # What a library has only warned of, and what nothing followed from, did not end the run.
    warned = bool(groups) and all(group.event.kind == "warning" for group in groups) and not graph.effects_of(index)
    return node.entry.severity in ("fatal", "error") and node.entry.role != "cascade" and lives and not warned


def _user_frame(graph: Graph, index: int, _: Circumstances) -> tuple[float, str] | None:
    known = any(frame.user for group in graph.nodes[index].groups for frame in group.event.frames)
    return (1.0, "The place in your own code is known.") if known else None


def _lifted_cause(graph: Graph, index: int, around: Circumstances) -> tuple[float, str] | None:
    lifted = graph.nodes[index].entry.id in around.lifted
    return (1.0, "The log holds evidence for one of its causes.") if lifted else None


def _all_in(groups: Sequence[Group], marked: frozenset[int]) -> bool:
    return bool(groups) and all(id(group) in marked for group in groups)


def _initiator(graph: Graph, index: int, around: Circumstances) -> tuple[float, str] | None:
    first = any(id(group) in around.initiators for group in graph.nodes[index].groups)
    return (1.0, "The rank that failed first shows it.") if first else None


def _victim(graph: Graph, index: int, around: Circumstances) -> tuple[float, str] | None:
    only = _all_in(graph.nodes[index].groups, around.victims)
    return (1.0, "Only ranks that were brought down by another one show it.") if only else None


def _recovered(graph: Graph, index: int, around: Circumstances) -> tuple[float, str] | None:
    over = _all_in(graph.nodes[index].groups, around.recovered)
    return (1.0, "The run went on after it.") if over else None


def _ignored(graph: Graph, index: int, _: Circumstances) -> tuple[float, str] | None:
    groups = graph.nodes[index].groups
    ignored = bool(groups) and all(group.event.fields.get("ignored") == "yes" for group in groups)
    return (1.0, "The program itself ignored it.") if ignored else None


def _raised(graph: Graph, index: int, around: Circumstances) -> tuple[float, str] | None:
    node = graph.nodes[index]
    stopped = any(group.event.kind == "exception" and id(group) not in around.recovered for group in node.groups)
    return (1.0, "What is a remark elsewhere was raised here.") if node.entry.severity == "note" and stopped else None


def _measures_only(graph: Graph, index: int, _: Circumstances) -> tuple[float, str] | None:
    groups = graph.nodes[index].groups
    only = bool(groups) and all(group.event.kind == "warning" and is_in_metric_code(group) for group in groups)
    return (1.0, "It stands in code that only measures, and nothing follows from it.") if only else None


def _beside(graph: Graph, index: int, around: Circumstances) -> tuple[float, str] | None:
    node = graph.nodes[index]
    if node.entry.severity not in ("warning", "note") or graph.effects_of(index):
        return None
    fatal = any(_is_fatal(graph, other, around) for other in range(len(graph.nodes)) if other != index)
    return (1.0, "Another fault ended the run, and nothing links the two.") if fatal else None


def _nothing_else(graph: Graph, index: int, _: Circumstances) -> tuple[float, str] | None:
    if graph.nodes[index].entry.role != "cascade" or graph.causes_of(index):
        return None
    below = {index, *graph.effects_of(index)}
    others = any(
        graph.nodes[one].entry.severity in ("fatal", "error") for one in range(len(graph.nodes)) if one not in below
    )
    return None if others else (1.0, "Nothing else in the log tells of a fault.")


def _order_unknown(graph: Graph, index: int, around: Circumstances) -> tuple[float, str] | None:
    mine = [one for one, node in enumerate(graph.nodes) if any(id(group) in around.unordered for group in node.groups)]
    if index not in mine or len(mine) < 2:
        return None
    return 1.0, "Other ranks failed by themselves too, and the log does not tell which was first."


TERMS: Mapping[str, _Test] = {
    "specific": _specific,
    "unrecognised": _unrecognised,
    "explains": _explains,
    "first-fatal": _first_fatal,
    "first-in-rank": _first_in_rank,
    "user-frame": _user_frame,
    "lifted-cause": _lifted_cause,
    "initiator": _initiator,
    "victim": _victim,
    "recovered": _recovered,
    "ignored": _ignored,
    "raised": _raised,
    "measures-only": _measures_only,
    "beside-a-fatal-fault": _beside,
    "nothing-else": _nothing_else,
    "order-unknown": _order_unknown,
}
