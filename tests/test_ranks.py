"""Which rank failed first, what each was waiting for, and what only their comparison shows."""

from __future__ import annotations

import pytest

from errtriage.model import Group
from errtriage.ranks import collectives, derive, first_failure, initiators, rank_states, victims
from groups_of import groups_of


def timeout(rank: int, *, seq: int = 37, op: str = "ALLREDUCE", numel: int = 100) -> str:
    return (
        f"[rank{rank}]:[E903 10:00:00.123456789 ProcessGroupNCCL.cpp:607] [Rank {rank}] Watchdog caught collective "
        "operation "
        f"timeout: WorkNCCL(SeqNum={seq}, OpType={op}, NumelIn={numel}, NumelOut={numel}, Timeout(ms)=600000) ran "
        "for 600010 "
        "milliseconds before timing out."
    )


def status(rank: int, *, seq: int, enqueued: int, completed: int) -> str:
    return (
        f"[rank{rank}]:[E903 10:00:00.223456789 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank "
        "{rank}]  failure "
        f"detected by watchdog at work sequence id: {seq} PG status: last enqueued work: {enqueued}, last completed "
        "work: "
        f"{completed}"
    )


def dump(rank: int, *, enqueued: int, completed: int) -> str:
    return (
        f"[rank{rank}]:[E903 10:00:01.223456789 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank "
        "{rank}] Received "
        "a dump signal due to a collective timeout from rank 0 and we will try our best to dump the debug info. "
        "Last enqueued "
        f"NCCL work: {enqueued}, last completed NCCL work: {completed}."
    )


def raised(rank: int, message: str = "ValueError: bad sample") -> str:
    lines = ["Traceback (most recent call last):", '  File "train.py", line 9, in <module>', "    step(batch)", message]
    return "\n".join(f"[rank{rank}]: {line}" for line in lines)


def facts(*lines: str) -> list[tuple[str, dict[str, str]]]:
    return [(fact.name, dict(fact.fields)) for fact in derive(groups_of("\n".join(lines)))]


def test_unlike_sizes_are_a_mismatch() -> None:
    """The rank whose collective has another size than that of the others is named with both sizes."""
    told = facts(timeout(0, numel=1), timeout(1), timeout(2), timeout(3))
    assert [name for name, _ in told] == ["collective_mismatch"]
    fields = told[0][1]
    assert (fields["rank"], fields["other_rank"], fields["numel"], fields["other_numel"]) == ("0", "1-3", "1", "100")
    assert fields["what"] == "size"


def test_unlike_operations_are_a_mismatch() -> None:
    """A rank that waits in another operation is named with both operations."""
    told = facts(timeout(0), timeout(1), timeout(2, op="BROADCAST"))
    assert ("collective_mismatch", "2", "BROADCAST", "ALLREDUCE") in [
        (name, fields["rank"], fields["op"], fields.get("other_op")) for name, fields in told
    ]


def test_equal_timeouts_are_no_mismatch() -> None:
    """Ranks that wait in the same collective show no desync."""
    assert facts(*(timeout(rank) for rank in range(4))) == []


def test_point_to_point_is_no_mismatch() -> None:
    """A sender and a receiver wait in unlike operations by design."""
    assert "collective_mismatch" not in [name for name, _ in facts(timeout(0, op="SEND"), timeout(1, op="RECV"))]


def test_work_behind_the_stuck_one_does_not_count() -> None:
    """The watchdog also times out what was queued behind the stuck work; the earliest one tells."""
    told = groups_of("\n".join([timeout(0), timeout(0, seq=38, op="BROADCAST"), timeout(1)]))
    assert [one.op for one in collectives(told)[0].ranks] == ["ALLREDUCE", "ALLREDUCE"]
    assert derive(told) == ()


def test_a_rank_that_never_joined_is_behind() -> None:
    """A rank whose last enqueued work lies before the others' stuck one never came to it."""
    told = facts(
        *(timeout(rank) for rank in (0, 1, 3)),
        *(status(rank, seq=37, enqueued=38, completed=36) for rank in (0, 1, 3)),
        dump(2, enqueued=36, completed=36),
    )
    assert [(name, fields["rank"], fields["what"], fields["others_seq"]) for name, fields in told] == [
        ("rank_behind", "2", "never-joined", "37")
    ]


def test_a_silent_rank_is_absent() -> None:
    """A gap in the numbers of the ranks that timed out is a rank that said nothing."""
    told = facts(*(timeout(rank) for rank in (0, 1, 3)))
    assert [(name, fields["rank"], fields["ranks"], fields["what"]) for name, fields in told] == [
        ("rank_absent", "2", "0-1, 3", "silent")
    ]


def test_a_dead_rank_is_absent_because_it_died() -> None:
    """Where the missing rank printed a fault of its own, the fact says so and cites it."""
    (fact,) = derive(groups_of("\n".join([raised(2), *(timeout(rank) for rank in (0, 1, 3))])))
    assert (fact.fields["rank"], fact.fields["what"]) == ("2", "died")
    assert fact.groups[0].event.kind == "exception"


def test_members_of_another_group_are_not_absent() -> None:
    """Every other rank missing is a process group of its own, not half of the job dead."""
    assert facts(*(timeout(rank) for rank in (0, 2, 4, 6))) == []


def test_the_end_of_the_world_is_known_by_its_size() -> None:
    """The last rank's silence shows only where the size of the world is known."""
    told = groups_of("\n".join(timeout(rank) for rank in range(3)))
    assert derive(told) == ()
    assert [fact.fields["rank"] for fact in derive(told, world_size=4)] == ["3"]


def test_the_rank_that_raised_failed_first() -> None:
    """Against closed connections and timeouts of others, the rank with a fault of its own is the initiator."""
    text = "\n".join(
        [
            raised(1, "RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:2139"),
            raised(2),
            timeout(0),
        ]
    )
    told = first_failure(groups_of(text))
    assert told is not None
    assert (told.ranks, told.certain) == ((2,), True)


def test_torchruns_root_is_not_believed_against_a_trace() -> None:
    """A rank that aborted after others closed is no initiator, though the table calls it the root cause."""
    table = (
        "============================================================\ntr.py "
        "FAILED\n----------------------------\nFailures:\n"
        "  <NO_OTHER_FAILURES>\n----------------------------\nRoot Cause (first observed failure):\n[0]:\n"
        "  time      : 2026-11-30_20:01:41\n  host      : a\n  rank      : 0 (local_rank: 0)\n  exitcode  : -6 "
        "(pid: 7)\n"
        "  error_file: <N/A>\n  traceback : Signal 6 (SIGABRT) received by PID 7\n============================\n"
    )
    told = initiators(groups_of(timeout(0) + "\n" + raised(1) + "\n" + table))
    assert [group.ranks for group in told] == [(1,)]


def test_victims_stand_alone_without_initiator() -> None:
    """Where a log holds consequences only, nothing is set back as one."""
    told = groups_of("\n".join(timeout(rank) for rank in range(2)))
    assert victims(told) == ()
    assert first_failure(told) is None


def test_victims_are_told_beside_a_fault() -> None:
    """With a fault in the log the timeouts of the others are victims."""
    told = groups_of("\n".join([raised(2), timeout(0), timeout(1)]))
    assert [group.event.kind for group in victims(told)] == ["collective"]


def test_states_of_ranks() -> None:
    """Each rank is told as died, waiting, absent or behind."""
    text = [timeout(0), timeout(1), raised(2), timeout(4), dump(5, enqueued=30, completed=30)]
    text += [status(rank, seq=37, enqueued=37, completed=36) for rank in (0, 1, 4)]
    states = {state.rank: state.state for state in rank_states(groups_of("\n".join(text)))}
    assert states == {0: "waiting", 1: "waiting", 2: "died", 3: "absent", 4: "waiting", 5: "behind"}


def files(gap: float, late: bool) -> list[str]:
    """Return the logs of two nodes whose ranks fail `gap` seconds apart by their own stamps."""
    first, second = 20.0, 20.0 + gap
    logs = []
    for rank, at in ((0, second if late else first), (1, first if late else second)):
        lines = raised(rank, f"ValueError: bad sample of {'ab'[rank]}").splitlines()
        logs.append("\n".join(f"2025-01-31T12:00:{at:06.3f}Z node{rank}: {line}" for line in lines))
    return logs


@pytest.mark.parametrize("late", [False, True])
def test_clocks_that_agree_tell_who_was_first(late: bool) -> None:
    """Faults of two nodes that lie further apart than clocks differ are put in order, whatever file comes first."""
    told = first_failure(with_hosts(groups_of(*files(12.0, late))))
    assert told is not None
    assert (told.certain, told.ranks) == (True, (1,) if late else (0,))


def test_near_stamps_of_two_nodes_tell_nothing() -> None:
    """Faults within five seconds on two clocks can not be put in order, and both stand."""
    groups = with_hosts(groups_of(*files(3.0, late=False)))
    told = first_failure(groups)
    assert told is not None
    assert (told.certain, told.ranks) == (False, (0, 1))
    assert initiators(groups) == ()


def with_hosts(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    from errtriage.values import replace

    return tuple(replace(group, hosts=(f"node{group.ranks[0]}",)) for group in groups if group.ranks)


def test_hundreds_of_ranks_are_told_at_once() -> None:
    """One silent rank among 512 is found, and every rank has its state."""
    groups = groups_of("\n".join(timeout(rank) for rank in range(512) if rank != 300))
    assert [fact.fields["rank"] for fact in derive(groups)] == ["300"]
    states = rank_states(groups)
    assert len(states) == 512
    assert [state.rank for state in states if state.state == "absent"] == [300]
