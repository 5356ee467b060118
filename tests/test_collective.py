"""What torch.distributed, its store and NCCL say of collectives."""

from __future__ import annotations

import pytest

from errtriage.patterns.collective_fields import collective_fields
from groups_of import fields_of, groups_of

TIMEOUT = "Watchdog caught collective operation timeout: WorkNCCL("
WATCHDOGS = {
    "1.9": (f"[E ProcessGroupNCCL.cpp:566] [Rank 0] {TIMEOUT}OpType=ALLREDUCE, TensorShape=[128, 4], "
    "Timeout(ms)=1800000) "
            "ran for 1800123 milliseconds before timing out.", {"shape": "128,4", "ran_ms": "1800123"}),
    "2.0": (f"[E ProcessGroupNCCL.cpp:828] [Rank 0] {TIMEOUT}SeqNum=12, OpType=ALLREDUCE, TensorShape=[1], "
            "Timeout(ms)=1800000) ran for 1803170 milliseconds before timing out.", {"seq": "12", "shape": "1"}),
    "2.4": (f"[rank0]:[E719 10:00:00.123456789 ProcessGroupNCCL.cpp:607] [Rank 0] {TIMEOUT}SeqNum=12, "
    "OpType=ALLREDUCE, "
            "NumelIn=1, NumelOut=2, Timeout(ms)=600000) ran for 600010 milliseconds before timing out.",
            {"seq": "12", "numel_in": "1", "numel_out": "2", "timeout_ms": "600000"}),
}  # fmt: skip


@pytest.mark.parametrize("version", WATCHDOGS)
def test_a_watchdog_timeout_is_read_in_each_version(version: str) -> None:
    """Operation, rank and what else the version prints are fields of a timeout."""
    line, expected = WATCHDOGS[version]
    (group,) = groups_of(line)
    assert group.event.fields["phase"] == "timeout"
    assert {"op": "ALLREDUCE", "rank": "0", **expected}.items() <= group.event.fields.items()
    assert group.ranks == (0,)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "[PG 0 (default_pg) Rank 3] Timeout at NCCL work: 37, last enqueued NCCL work: 39, last completed NCCL "
            "work: 36.",
            {"group": "0", "group_name": "default_pg", "rank": "3", "seq": "37", "enqueued": "39", "completed": "36"},
        ),
        (
            "[PG ID 1 PG GUID 7(tp) Rank 3]  failure detected by watchdog at work sequence id: 37 PG status: last "
            "enqueued "
            "work: 39, last completed work: 36",
            {"group": "7", "group_name": "tp", "seq": "37", "enqueued": "39", "completed": "36"},
        ),
    ],
)
def test_the_state_of_a_rank_is_read(line: str, expected: dict[str, str]) -> None:
    """What a rank enqueued and completed is told with its process group."""
    told = fields_of(f"[rank3]:[E903 10:00:00.123456789 ProcessGroupNCCL.cpp:1785] {line}", "collective")
    assert [one["phase"] for one in told] == ["status"]
    assert expected.items() <= told[0].items()


def test_ranks_in_unlike_collectives_stay_apart() -> None:
    """Equal timeouts are one group with their ranks, another size is another group."""
    lines = [WATCHDOGS["2.4"][0].replace("ank 0", f"ank {rank}").replace("rank0", f"rank{rank}") for rank in range(4)]
    lines[2] = lines[2].replace("NumelIn=1", "NumelIn=77")
    assert [group.ranks for group in groups_of("\n".join(lines))] == [(0, 1, 3), (2,)]


def test_an_error_of_nccl_is_read_with_its_lines() -> None:
    """A watchdog's NCCL error takes the lines below it, which bear no prefix, and names the lost peer."""
    text = (
        "[rank1]:[E415 21:17:08.812044170 ProcessGroupNCCL.cpp:552] [Rank 1] Collective WorkNCCL(SeqNum=512, "
        "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) raised the following async exception: NCCL "
        "error: "
        "remote process exited or there was a network error, NCCL version 2.21.5\nncclRemoteError: A call failed "
        "possibly "
        "due to a network error or a remote process exiting prematurely.\nLast error:\nsocketProgress: Connection "
        "closed "
        "by remote peer node-a<41822>\nException raised from checkForNCCLErrorsInternal at /x.cpp:2363 (most recent "
        "call "
        "first):\n"
    )
    (group,) = groups_of(text)
    assert group.event.fields["phase"] == "abort"
    assert group.event.fields["nccl_error"] == "ncclRemoteError"
    assert group.event.fields["peer"] == "node-a"
    assert group.ranks == (1,)


def test_a_cuda_error_of_the_watchdog_is_a_cuda_error() -> None:
    """Where the watchdog dies of a CUDA error, that error is told with its rank."""
    text = (
        "[E ProcessGroupNCCL.cpp:916] [Rank 3] NCCL watchdog thread terminated with exception: CUDA error: an illegal "
        "memory access was encountered\nCUDA kernel errors might be asynchronously reported at some other API call\n"
    )
    (group,) = groups_of(text)
    assert (group.event.kind, group.event.fields["code"], group.ranks) == (
        "cuda_error",
        "cudaErrorIllegalAddress",
        (3,),
    )


@pytest.mark.parametrize(
    ("line", "phase"),
    [
        ("[PG ID 0 PG GUID 0(default_pg) Rank 2] ProcessGroupNCCL's watchdog got stuck for 480 seconds", "heartbeat"),
        ("Received a dump signal due to a collective timeout from rank 5 and we will try our best", "dump"),
        ("\t - To our best knowledge, ranks [0, 1] are the lagging ranks that caused this timeout.", "desync"),
        (
            "[E ProcessGroupNCCL.cpp:583] [Rank 3] To avoid data inconsistency, we are taking the entire process down.",
            "abort",
        ),
        ("[W socket.cpp:436] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - x).", "connect"),
        ("[W TCPStore.cpp:115] [c10d] recvVector failed on SocketImpl(fd=95, addr=[a]:1, remote=[b]:2): x", "store"),
        ("Warning: WARNING: destroy_process_group() was not called before program exit", "teardown"),
        ("[E ProcessGroupGloo.cpp:28] [Rank 0]: Ranks 1, 3 failed to pass monitoredBarrier in 10000 ms", "timeout"),
    ],
)
def test_phases(line: str, phase: str) -> None:
    """Each kind of line says in which phase the collective is."""
    assert [one["phase"] for one in fields_of(line, "collective")] == [phase]


def test_a_healthy_rendezvous_is_no_event() -> None:
    """What sockets print when they succeed is nothing."""
    text = "[I socket.cpp:442] [c10d] The server socket has started to listen on [::]:29500.\nNCCL version "
    "2.21.5+cuda12.4\n"
    assert fields_of(text, "collective") == []


def test_a_fingerprint_mismatch_names_both_ranks() -> None:
    """The debug message of unlike collectives gives both operations, shapes and ranks."""
    told = collective_fields(
        "Detected mismatch between collectives on ranks. Rank 1 is running collective: CollectiveFingerPrint("
        "SequenceNumber=4, OpType=ALLREDUCE, TensorShape=[2, 3], TensorDtypes=Float), but Rank 0 is running "
        "collective: "
        "CollectiveFingerPrint(SequenceNumber=4, OpType=BROADCAST, TensorShape=[7]).Collectives differ in the "
        "following "
        "aspects: \t Op type: ALLREDUCEvs BROADCAST"
    )
    assert (told["rank"], told["op"], told["shape"]) == ("1", "ALLREDUCE", "2,3")
    assert (told["other_rank"], told["other_op"], told["other_shape"]) == ("0", "BROADCAST", "7")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Timed out waiting 30000ms for recv operation to complete", {"timeout_ms": "30000", "op": "RECV"}),
        ("Connection closed by peer [10.0.0.7]:52011", {"peer": "10.0.0.7"}),
        ("Read error [10.0.0.7]:52011: Connection reset by peer", {"peer": "10.0.0.7"}),
        ("wait timeout after 300000ms, keys: /default_pg/0//cuda//0", {"keys": "/default_pg/0//cuda//0"}),
        ("[Rank 1] 2 of 3 files done", {}),
        ("loss went down to 0.3", {}),
    ],
)
def test_fields_of_messages(message: str, expected: dict[str, str]) -> None:
    """Messages of gloo and the store give what they name, others nothing."""
    told = collective_fields(message)
    assert expected.items() <= told.items()
    assert bool(told) == bool(expected)


def test_nccl_lines_tell_host_process_and_place() -> None:
    """A WARN of NCCL is read with or without the stamp of newer versions; plain INFO lines are nothing."""
    text = (
        "n1:77:78 [3] include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space left on device\n"
        "[2025-01-31 12:00:00] n1:79:80 [0] init.cc:900 NCCL WARN Duplicate GPU detected : rank 1 and rank 0\n"
        "n1:77:78 [3] NCCL INFO Channel 00 : 2[3d000] -> 3[3e000] via P2P/IPC\n"
    )
    told = fields_of(text, "nccl")
    assert [(one["level"], one["host"], one["file"]) for one in told] == [
        ("WARN", "n1", "include/shm.h"),
        ("WARN", "n1", "init.cc"),
    ]
