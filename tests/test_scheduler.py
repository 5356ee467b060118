"""What schedulers, clusters and clouds say of a job that they ended."""

from __future__ import annotations

import pytest

from groups_of import fields_of

ENDED = {
    "slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2025-02-03T09:00:18 DUE TO TIME LIMIT ***": (
        "slurm",
        "time_limit",
    ),
    "slurmstepd: error: *** STEP 77.0 ON n1 CANCELLED AT 2025-02-03T09:00:18 DUE TO PREEMPTION ***": (
        "slurm",
        "preempted",
    ),
    "slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2025-02-03T09:00:18 ***": ("slurm", "cancelled"),
    "slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2025-02-03T09:00:18 DUE TO JOB REQUEUE ***": (
        "slurm",
        "requeued",
    ),
    "slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2025-02-03T09:00:18 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR "
    "DETAILS ***": ("slurm", "node_fail"),
    "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=77.batch. Some of your processes may have been "
    "killed by the "
    "cgroup out-of-memory handler.": ("slurm", "oom"),
    "slurmstepd: error: Detected 2 oom_kill events in StepId=77.0. Some of the step tasks have been OOM Killed.": (
        "slurm",
        "oom",
    ),
    "srun: error: cn110: task 3: Out Of Memory": ("slurm", "oom"),
    "State: OUT_OF_MEMORY (exit code 0)": ("slurm", "oom"),
    "884213            train        gpu       acme         16  OUT_OF_ME+    0:125": ("slurm", "oom"),
    "   JobState=NODE_FAIL Reason=NodeDown Dependency=(null)": ("slurm", "node_fail"),
    "Caught signal SIGUSR1 on n1: this job is timed-out": ("slurm", "time_limit"),
    "=>> PBS: job killed: walltime 3621 exceeded limit 3600": ("pbs", "time_limit"),
    "=>> PBS: job killed: mem 65gb exceeded limit 64gb": ("pbs", "oom"),
    "TERM_RUNLIMIT: job killed after reaching LSF run time limit.": ("lsf", "time_limit"),
    "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.": ("lsf", "oom"),
    "004 (771.000.000) 2024-01-31 12:00:00 Job was evicted.": ("htcondor", "preempted"),
    "      Reason:       OOMKilled": ("kubernetes", "oom"),
    "train-worker-0   0/1     Evicted   0          12m": ("kubernetes", "evicted"),
    "The node was low on resource: memory. Threshold quantity: 100Mi": ("kubernetes", "evicted"),
    "Job was active longer than specified deadline": ("kubernetes", "time_limit"),
    "      Exit Code:    137": ("kubernetes", "exit"),
    "Instance gpu-7 is being preempted.": ("cloud", "preempted"),
    "##[error]The operation was canceled.": ("ci", "cancelled"),
    "Your session crashed after using all available RAM.": ("colab", "oom"),
}
HEALTHY = (
    "srun: job 77 queued and waiting for resources",
    "State: COMPLETED (exit code 0)",
    "      Exit Code:    0",
    "train-worker-0   1/1     Running   0          12m",
    "export NCCL_TIMEOUT=1800",
    "step 12 TIMEOUT=30 retries=2",
    "preemption handler registered for SIGUSR1",
    "INFO scheduler.py:88] Sequence group 3 is preempted by recompute",
    "Job finished well",
)


@pytest.mark.parametrize("line", ENDED)
def test_an_end_is_told_with_its_reason(line: str) -> None:
    """Each system's text gives the system and a reason of the closed list."""
    told = fields_of(line, "scheduler")
    assert [(one["system"], one["reason"]) for one in told] == [ENDED[line]]


@pytest.mark.parametrize("line", HEALTHY)
def test_healthy_lines_are_nothing(line: str) -> None:
    """Lines of jobs that run or ended well give no scheduler event."""
    assert fields_of(line, "scheduler") == []


def test_slurm_names_job_unit_and_host() -> None:
    """The line of slurmstepd says which job or step was ended on which node."""
    line = "slurmstepd: error: *** STEP 77.0 ON gpu-3 CANCELLED AT 2025-02-03T09:00:18 DUE TO TIME LIMIT ***"
    (told,) = fields_of(line, "scheduler")
    assert (told["job"], told["unit"], told["host"]) == ("77.0", "step", "gpu-3")


def test_an_exit_code_of_a_container_names_its_signal() -> None:
    """137 in a pod's description is SIGKILL."""
    (told,) = fields_of("      Exit Code:    137", "scheduler")
    assert told["signal"] == "SIGKILL"
