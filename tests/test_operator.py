"""What the report tells whoever runs the job: who can act, on which node, the work lost, and how the ranks stand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from errtriage.model import Report
from errtriage.render import renderer
from errtriage.render.words import View
from errtriage.sources import from_file
from errtriage.triage import triage, triage_sources

STEPS = "".join(f"step {step} loss {2 - step / 100:.3f}\n" for step in range(0, 60, 10))
KILLED = "failed (exitcode: -9) local_rank: 1 (pid: 24351) of binary: /usr/bin/python3"
TIMEOUT = (
    "[rank{rank}]:[E301 10:11:42.100000 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective "
    "operation timeout: WorkNCCL(SeqNum=61, OpType=ALLREDUCE, NumelIn=40, NumelOut=40, Timeout(ms)=600000) ran for "
    "600020 milliseconds before timing out."
)

# Logs that look alike to whoever reads them last, and who can act: a tail and the action that it calls for.
ACTIONS = {
    "IndexError: Target 12 is out of bounds.": "fix-code",
    "RuntimeError: NCCL error: unhandled system error, NCCL version 2.21.5": "unknown",
    TIMEOUT.format(rank=0): "unknown",
    "Mar  1 10:02:11 gpu-node-021 kernel: NVRM: Xid (PCI:0000:c1:00): 79, pid=4242, name=python, "
    "GPU has fallen off the bus.": "change-node",
    "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2025-02-03T09:00:18 DUE TO TIME LIMIT ***": "more-resources",
    "slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2025-02-03T09:00:18 DUE TO PREEMPTION ***": "restart",
    "torch.distributed.elastic.multiprocessing.api.SignalException: Process 2089 got signal: 1": "restart",
    "slurmstepd: error: Detected 1 oom_kill event in StepId=19.0. Some of the step tasks have been OOM Killed.": (
        "more-resources"
    ),
    KILLED: "more-resources",
}


def text_of(report: Report) -> str:
    return renderer("plain")(report, View())


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("tail", ACTIONS)
def test_the_action_is_that_of_who_can_act(tail: str) -> None:
    """Code, restart, node or more resources: the action follows from the fault, and is unknown where it is not sure."""
    assert triage(f"{STEPS}{tail}\n".encode()).action == ACTIONS[tail]


@pytest.mark.parametrize("tail", [tail for tail in ACTIONS if "NVRM" not in tail])
def test_hardware_is_not_blamed_without_a_line_of_it(tail: str) -> None:
    """No log without a line about the hardware says that the node should be changed."""
    assert triage(f"{STEPS}{tail}\n".encode()).action != "change-node"


def test_the_node_to_change_is_named() -> None:
    """The report names the node whose kernel lost its GPU."""
    tail = next(tail for tail, action in ACTIONS.items() if action == "change-node")
    report = triage(f"{STEPS}{tail}\n".encode())
    assert report.explanations[0].hosts == ("gpu-node-021",)
    action = next(line for line in text_of(report).splitlines() if line.strip().startswith("action:"))
    assert "gpu-node-021" in action


def test_the_lost_work_is_counted_from_the_last_checkpoint() -> None:
    """Steps since the last saved checkpoint are told, or all steps where none was saved."""
    saved = "step 20 loss 1.9\nSaving model checkpoint to out/checkpoint-20\nstep 35 loss 1.8\nKilled\n"
    assert triage(saved.encode()).work_lost == "15 steps since the checkpoint at step 20"
    bare = triage(f"{STEPS}Killed\n".encode())
    assert bare.work_lost is not None
    assert bare.work_lost.startswith("50 steps")


def many_ranks(folder: Path, count: int, failed: int) -> list[Path]:
    """One file for each rank, eight to a node; one of them raises, the others wait for it."""
    paths = []
    for rank in range(count):
        tail = (
            'Traceback (most recent call last):\n  File "/srv/fit.py", line 8, in <module>\n    main()\n'
            "IndexError: Target 12 is out of bounds.\n"
            if rank == failed
            else TIMEOUT.format(rank=rank) + "\n"
        )
        paths.append(write(folder, f"gpu-node-{rank // 8:03}-rank{rank:03}.log", STEPS + tail))
    return paths


def test_hundreds_of_ranks_fit_one_screen(tmp_path: Path) -> None:
    """The rank that failed first is found among 256 files, with its node, its last step, and on one screen."""
    report = triage_sources(map(from_file, many_ranks(tmp_path, 256, 137)))
    first = report.explanations[0]
    assert (first.id, first.ranks, first.hosts) == ("target-out-of-range", (137,), ("gpu-node-017",))
    assert report.ranks[137].state == "died"
    assert {one.last_step for one in report.ranks} == {50}
    assert {one.state for one in report.ranks if one.rank != 137} == {"waiting"}
    shown = text_of(report).splitlines()
    assert len(shown) <= 50
    assert any("rank 137 died" in line and "gpu-node-017" in line for line in shown)


def test_the_first_rank_is_not_guessed(tmp_path: Path) -> None:
    """Where two ranks of different nodes fail in different ways, and no clock orders them, the report says so."""
    files = many_ranks(tmp_path, 16, 3)
    other = f"{STEPS}FileNotFoundError: [Errno 2] No such file or directory: '/data/shard-9.tar'\n"
    files[12] = write(tmp_path, files[12].name, other)
    report = triage_sources(map(from_file, files))
    assert {one.id for one in report.explanations} >= {"target-out-of-range", "file-not-found"}
    assert report.explanations[0].confidence < 0.75
    assert "do not tell which was first" in text_of(report)


def pipe(text: str, **environment: str) -> str:
    command = [sys.executable, "-m", "errtriage"]
    env = {**{k: v for k, v in os.environ.items() if not k.startswith("SLURM_")}, **environment}
    ended = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, env=env, timeout=60, check=False)
    return ended.stdout.decode()


def test_a_healthy_rank_of_many_prints_no_report() -> None:
    """Under srun with a pipe for each rank, a healthy rank adds nothing to its output; alone it says all is well."""
    assert pipe(STEPS, SLURM_STEP_NUM_TASKS="64", SLURM_PROCID="3") == STEPS
    assert "errtriage report: clean" in pipe(STEPS)


def test_a_failed_rank_of_many_prints_its_report() -> None:
    """Under srun a rank that fails explains its fault."""
    printed = pipe(f"{STEPS}IndexError: Target 12 is out of bounds.\n", SLURM_STEP_NUM_TASKS="64", SLURM_PROCID="3")
    assert "target-out-of-range" in printed
