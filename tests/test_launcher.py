"""What launchers say of their processes."""

from __future__ import annotations

import pytest

from groups_of import fields_of, groups_of

TABLE = """torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
tr.py FAILED
------------------------------------------------------------
Failures:
[1]:
  time      : 2026-11-30_18:21:44
  host      : node-a
  rank      : 0 (local_rank: 0)
  exitcode  : -15 (pid: 24350)  (SIGTERM)
  error_file: <N/A>
  traceback : Signal 15 (SIGTERM) received by PID 24350
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-11-30_18:21:44
  host      : node-b
  rank      : 1 (local_rank: 1)
  exitcode  : 1 (pid: 24351)
  error_file: /tmp/error.json
  traceback : Traceback (most recent call last):
    File "/site-packages/torch/distributed/elastic/multiprocessing/errors/__init__.py", line 355, in wrapper
      return f(*args, **kwargs)
    File "/app/tr.py", line 12, in main
      raise ValueError("boom")
  ValueError: boom

============================================================
next line
"""
OLD_TABLE = """***************************************
              tr.py FAILED
=======================================
Root Cause:
[0]:
  time: 2021-09-01_12:00:00
  rank: 1 (local_rank: 1)
  exitcode: -9 (pid: 24537)
  error_file: <N/A>
  msg: "Signal 9 (SIGKILL) received by PID 24537"
=======================================
Other Failures:
[1]:
  time: 2021-09-01_12:00:01
  rank: 0 (local_rank: 0)
  exitcode: 1 (pid: 24536)
  error_file: <N/A>
  msg: "Process failed with exitcode 1"
***************************************
"""


def test_each_entry_of_the_table_is_an_event() -> None:
    """Every failing rank of the table is told with its exit, host and place, and one of them as the root."""
    told = fields_of(TABLE, "launcher")
    assert [(one["rank"], one["exitcode"], one["host"], one.get("root")) for one in told] == [
        ("0", "-15", "node-a", None),
        ("1", "1", "node-b", "yes"),
    ]
    assert told[0]["signal"] == "SIGTERM"
    assert {one["name"] for one in told} == {"tr.py"}


def test_the_traceback_in_the_table_is_an_exception() -> None:
    """What a worker wrote to its error file is read as its exception, with its rank and frames."""
    quoted = [group for group in groups_of(TABLE) if group.event.fields.get("type") == "ValueError"]
    assert len(quoted) == 1
    assert quoted[0].event.rank == 1
    assert quoted[0].event.frames[-1].line == 12


def test_the_table_of_torch_19_is_read() -> None:
    """The starred layout, whose root stands first, gives the same fields."""
    told = fields_of(OLD_TABLE, "launcher")
    assert [(one["rank"], one.get("signal"), one.get("root")) for one in told] == [
        ("1", "SIGKILL", "yes"),
        ("0", None, None),
    ]


def test_a_cut_table_keeps_what_was_read() -> None:
    """A table whose end is missing still tells its entries."""
    cut = TABLE[: TABLE.index("  error_file: /tmp")]
    assert [one["rank"] for one in fields_of(cut, "launcher")] == ["0", "1"]


def test_woven_lines_do_not_end_the_table() -> None:
    """Lines of other processes between those of the table are passed over."""
    woven = TABLE.replace("  rank      : 0", "wandb: Synced 5 files\n  rank      : 0")
    assert [one["rank"] for one in fields_of(woven, "launcher")] == ["0", "1"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "E1130 18:21:44.123000 24349 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: -9) "
            "local_rank: 1 (pid: 24351) of binary: /usr/bin/python3",
            {"what": "exit", "exitcode": "-9", "signal": "SIGKILL", "local_rank": "1", "pid": "24351"},
        ),
        (
            "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 18811 closing signal SIGTERM",
            {"what": "closing_signal", "signal": "SIGTERM", "pid": "18811"},
        ),
        (
            "[2024-01-31 12:00:00,000] torch.distributed.elastic.agent.server.api: [ERROR] [default] Worker group "
            "FAILED. "
            "2/3 attempts left; will restart worker group",
            {"what": "restart", "left": "2"},
        ),
        (
            "[2023-08-24 16:21:58,961] [ERROR] [launch.py:321:sigkill_handler] ['/bin/python', '-u', 'train.py', "
            "'--local_rank=3'] exits with return code = -9",
            {"what": "exit", "launcher": "deepspeed", "local_rank": "3", "signal": "SIGKILL"},
        ),
        (
            "srun: error: n7: task 2: Segmentation fault (core dumped)",
            {"launcher": "srun", "host": "n7", "signal": "SIGSEGV"},
        ),
        ("srun: error: n[1-2]: tasks 0-7: Killed", {"task": "0-7", "signal": "SIGKILL"}),
        (
            "mpirun noticed that process rank 3 with PID 0 on node n2 exited on signal 9 (Killed).",
            {"launcher": "mpirun", "rank": "3", "host": "n2", "signal": "SIGKILL"},
        ),
        (
            "(raylet) [2025-03-08 05:33:41,907 E 3120 3120] node_manager.cc:3069: 2 Workers (tasks / actors) killed "
            "due to "
            "memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: 9d04, IP: 10.77.2.14) over",
            {"launcher": "ray", "what": "worker_lost", "oom": "2", "host": "10.77.2.14"},
        ),
        (
            "[rank: 1] Child process with PID 22087 terminated with code -9. Forcefully terminating all other "
            "processes to "
            "avoid zombies",
            {"launcher": "lightning", "rank": "1", "exitcode": "-9", "signal": "SIGKILL"},
        ),
        (
            "pdsh@login1: node07: ssh exited with exit code 255",
            {"launcher": "pdsh", "host": "node07", "exitcode": "255"},
        ),
    ],
)
def test_lines_of_launchers(line: str, expected: dict[str, str]) -> None:
    """Each launcher's line tells which process ended, and how."""
    told = fields_of(line, "launcher")
    assert len(told) == 1, told
    assert expected.items() <= told[0].items()


def test_mpirun_names_the_first_process_to_fail() -> None:
    """The report of Open MPI over several lines becomes one event with rank and exit code."""
    text = (
        "-" * 60 + "\nmpirun detected that one or more processes exited with non-zero status, thus causing\n"
        "the job to be terminated. The first process to do so was:\n\n  Process name: [[51290,1],3]\n  Exit code:   "
        " 1\n" + "-" * 60
    )
    told = fields_of(text, "launcher")
    assert [(one["rank"], one["exitcode"], one["root"]) for one in told] == [("3", "1", "yes")]


def test_intel_mpi_names_rank_host_and_signal() -> None:
    """The banner of MPICH and Intel MPI becomes one event."""
    text = (
        "=" * 60 + "\n=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   RANK 1 PID 4242 RUNNING AT node1\n"
        "=   KILLED BY SIGNAL: 9 (Killed)\n" + "=" * 60
    )
    told = fields_of(text, "launcher")
    assert [(one["rank"], one["host"], one["signal"]) for one in told] == [("1", "node1", "SIGKILL")]


def test_a_failing_test_is_no_table() -> None:
    """Lines of a test runner that end in FAILED give no launcher event."""
    assert fields_of("tests/test_a.py::test_b FAILED\ntests/test_a.py::test_c PASSED\n", "launcher") == []
