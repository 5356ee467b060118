"""Lines of batch schedulers (Slurm, PBS, LSF, Grid Engine, HTCondor) that say why a job or step was ended.

`reason` is oom, time_limit, preempted, node_fail, cancelled, requeued, quota or exit; `job` and `host` where named.
"""

from __future__ import annotations

import re

from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, event, told

KIND = "scheduler"

_CANCELLED = {
    "TIME LIMIT": "time_limit",
    "PREEMPTION": "preempted",
    "NODE FAILURE": "node_fail",
    "JOB REQUEUE": "requeued",
    "TASK FAILURE": "exit",
    "SIGNAL": "cancelled",
}
_STATES = {
    "OUT_OF_ME": "oom",
    "TIMEOUT": "time_limit",
    "DEADLINE": "time_limit",
    "NODE_FAIL": "node_fail",
    "BOOT_FAIL": "node_fail",
    "PREEMPTED": "preempted",
    "CANCELLED": "cancelled",
    "REQUEUE": "requeued",
    "REVOKED": "cancelled",
    "SUSPENDED": "preempted",
    "STOPPED": "preempted",
    "SPECIAL_EXIT": "exit",
    "FAILED": "exit",
}
_LSF = {
    "MEMLIMIT": "oom",
    "SWAP": "oom",
    "RUNLIMIT": "time_limit",
    "CPULIMIT": "time_limit",
    "DEADLINE": "time_limit",
    "WINDOW": "time_limit",
    "PREEMPT": "preempted",
    "LOAD": "preempted",
    "OWNER": "cancelled",
    "ADMIN": "cancelled",
    "FORCE_ADMIN": "cancelled",
    "FORCE_OWNER": "cancelled",
    "REQUEUE_OWNER": "requeued",
    "REQUEUE_ADMIN": "requeued",
    "PROCESSLIMIT": "quota",
    "THREADLIMIT": "quota",
    "ZOMBIE": "node_fail",
}
_PBS = {"walltime": "time_limit", "cput": "time_limit", "mem": "oom", "vmem": "oom", "pmem": "oom", "pvmem": "oom"}


def _reason(table: dict[str, str], word: str, other: str) -> str:
    return next((reason for start, reason in table.items() if word.upper().startswith(start.upper())), other)


def _slurm_cancelled(line: Line, found: re.Match[str]) -> Event:
    cause = found["cause"]
    reason = _reason(_CANCELLED, cause, "cancelled") if cause else "cancelled"
    fields = {"job": found["job"], "unit": found["unit"].lower(), "host": found["host"], "signal": found["signal"]}
    return event(KIND, line, {"system": "slurm", "reason": reason, "message": found[0].strip(), **fields})


def _slurm_state(line: Line, found: re.Match[str]) -> Event:
    fields = {"job": found["job"], "code": found["code"]}
    reason = _reason(_STATES, found["state"], "exit")
    return event(KIND, line, {"system": "slurm", "reason": reason, "message": found[0].strip(), **fields})


def _pbs(line: Line, found: re.Match[str]) -> Event:
    reason = _PBS.get(found["resource"].lower(), "quota")
    return event(KIND, line, {"system": "pbs", "reason": reason, "message": found[0].strip(), "limit": found["limit"]})


def _lsf(line: Line, found: re.Match[str]) -> Event:
    reason = _LSF.get(found["term"], "exit")
    return event(KIND, line, {"system": "lsf", "reason": reason, "message": found[0].strip()})


# Texts: src/slurmd/slurmstepd, src/srun and src/common of Slurm (2021 to 2026); OpenPBS' mom; LSF's TERM_ reasons.
_SLURM: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=(" CANCELLED AT ", "STEPD TERMINATED ON", "FAILED (non-zero exit code"),
        regex=r"\*\*\* (?P<unit>JOB|STEP) (?P<job>[\w.+]{1,40}) (?:STEPD TERMINATED )?ON (?P<host>[\w.-]{1,200}) "
        r"(?:CANCELLED |FAILED \()?.{0,40}?(?: DUE (?:TO|to) (?P<cause>[A-Z][A-Z ]{2,40}?)(?:,[^*]{1,80}| (?P<signal>"
        r"[A-Z][a-z][a-z ]{1,30}|\d{1,3}))?)?\)? \*\*\*",
        make=_slurm_cancelled,
        examples=(
            "slurmstepd: error: *** STEP 48120771.0 ON gpunode-17 CANCELLED AT 2025-02-03T09:00:18 DUE TO TIME "
            "LIMIT ***",
            "slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2025-02-03T09:00:18 ***",
            "slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2025-02-03T09:00:18 DUE to SIGNAL Terminated ***",
            "slurmstepd: error: *** JOB 9 ON n1 CANCELLED AT 2025-02-03T09:00:18 DUE TO NODE FAILURE, SEE SLURMCTLD "
            "LOG FOR "
            "DETAILS ***",
        ),
        ignore=("the job was CANCELLED AT noon",),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "oom-kill event",
            "oom_kill event",
            "oom-kill: ",
            "exceeded memory limit",
            "Exceeded job memory",
            "Exceeded step memory",
        ),
        regex=r"(?:Detected \d{1,6} oom[-_]kill event(?:s|\(s\))? in (?:StepId=|step "
        r")(?P<job>\w{1,24}(?:[.+]\w{1,12}){0,3})|"
        r"(?:Step|Job) (?P<step>[\w.+]{1,40}) exceeded memory limit \((?P<used>\d{1,15}) > (?P<limit>\d{1,15})\)|"
        r"Exceeded (?:job|step) memory limit)[^*]{0,160}",
        make=told(KIND, system="slurm", reason="oom"),
        examples=(
            "slurmstepd: error: Detected 1 oom_kill event in StepId=123.batch. Some of the step tasks have been OOM "
            "Killed.",
            "slurmstepd: error: Step 5.0 exceeded memory limit (2097 > 2048), being killed",
        ),
        ignore=("no oom_kill event was seen",),
    ),
    LinePattern(
        kind=KIND,
        literals=(": Out Of Memory", ": OOM Killed"),
        regex=r"srun: error: (?P<host>[\w.\[\],-]{1,200}): tasks? (?P<task>[\d,-]{1,200}): (?:Out Of Memory|OOM "
        r"Killed)",
        make=told(KIND, system="slurm", reason="oom"),
        examples=("srun: error: cn110: task 3: Out Of Memory",),
        ignore=("CUDA: Out Of Memory",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Node failure on", "has been revoked"),
        regex=r"srun: (?:error: )?(?:Node failure on (?P<host>[\w.-]{1,200})|Job allocation (?P<job>\d{1,12}) has "
        r"been revoked)",
        make=told(KIND, system="slurm", reason="node_fail"),
        examples=("srun: error: Node failure on gpu-12",),
        ignore=("Node failure on purpose",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Unable to allocate resources: ", "Batch job submission failed: ", "Unable to create step for job"),
        regex=r"(?:srun|salloc|sbatch): error: (?:Unable to allocate resources|Batch job submission failed|"
        r"Unable to create step for job (?P<job>\d{1,12})): (?P<message>.{1,200})",
        make=told(KIND, system="slurm", reason="admission"),
        examples=("sbatch: error: Batch job submission failed: Requested node configuration is not available",),
        ignore=("Batch job submission failed: see above",),
    ),
    LinePattern(
        kind=KIND,
        literals=("*** REASON: ",),
        regex=r"slurmstepd: error: \*\*\* REASON: (?P<message>.{1,200}?) \*\*\*",
        make=told(KIND, system="slurm", reason="cancelled"),
        examples=("slurmstepd: error: *** REASON: burst_buffer/lua: Stage-out in progress ***",),
        ignore=("*** REASON: unknown ***",),
    ),
    LinePattern(
        kind=KIND,
        literals=("OUT_OF_ME", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "State: ", "JobState="),
        regex=r"(?:\b(?:Job)?State(?:=|: )|\bstate: |Run time [\d:-]{1,20}, |"
        r"^\s*(?P<job>\d{1,12}(?:\.\w{1,12}|_\d{1,9})?)\s.{0,120}?\s(?=\S{4,16}\s+\d{1,3}:\d{1,3}\b))"
        r"(?P<state>OUT_OF_MEMORY|OUT_OF_ME|TIMEOUT|NODE_FAIL|PREEMPTED|BOOT_FAIL|DEADLINE|CANCELLED|FAILED|"
        r"REQUEUED|REQUEUE_FED|REQUEUE_HOLD|REVOKED|SPECIAL_EXIT|SUSPENDED|STOPPED)\+?(?!\w)"
        r"(?:.{0,40}?(?:exit code |ExitCode=|\s)(?P<code>\d{1,3}(?::\d{1,3})?)(?!\d)\)?)?",
        make=_slurm_state,
        examples=(
            "State: OUT_OF_MEMORY (exit code 0)",
            "   JobState=TIMEOUT Reason=TimeLimit Dependency=(null)",
            "884213            train        gpu       acme         16  OUT_OF_ME+    0:125",
            "Slurm Job_id=5 Name=x Ended, Run time 01:00:20, TIMEOUT",
        ),
        ignore=("NCCL_TIMEOUT was set", "State: COMPLETED (exit code 0)", "export TIMEOUT=30"),
    ),
    LinePattern(
        kind=KIND,
        literals=("this job is timed-out", "this job is preempted", "Job has timed out"),
        regex=r"Caught signal (?P<signal>\w{1,12}) on (?P<host>\S{1,200}): this job is (?P<state>timed-out|preempted)|"
        r"Job has timed out\. .{0,120}",
        make=lambda line, found: event(
            KIND,
            line,
            {
                "system": "slurm",
                "reason": "preempted" if found["state"] == "preempted" else "time_limit",
                "signal": found["signal"],
                "host": found["host"],
                "message": found[0].strip(),
            },
        ),
        examples=("submitit WARNING (2024-01-31 12:00:00,123) - Caught signal SIGUSR1 on n1: this job is preempted.",),
        ignore=("submitit INFO - Job completed successfully",),
    ),
)


def _torque(line: Line, found: re.Match[str]) -> Event:
    reason = "oom" if found["memory"] else "time_limit"
    return event(KIND, line, {"system": "pbs", "reason": reason, "message": found[0].strip()}, text=found[0].strip())


_OTHERS: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=("PBS: job killed", "exceeded limit"),
        regex=r"PBS: job killed: (?P<resource>\w{1,20}) \S{1,20} exceeded limit (?P<limit>\S{1,20})",
        make=_pbs,
        examples=("=>> PBS: job killed: walltime 3621 exceeded limit 3600",),
        ignore=("the cache exceeded limit 5",),
    ),
    LinePattern(
        kind=KIND,
        literals=("usage hard limit", "its walltime limit", "exceeded wallclock limit"),
        regex=r"^\s{0,20}(?:MOAB_INFO: {1,4})?[Jj]ob (?:\d[\w.-]{0,60} )?exceeded (?:(?:its )?wall(?:time|clock) "
        r"limit|(?P<memory>MEM|mem|memory) usage hard limit.{0,60})",
        make=_torque,
        examples=("job 90312 exceeded MEM usage hard limit (5120 > 4505)", "Job exceeded its walltime limit."),
        ignore=("the job exceeded expectations", "exceeded wallclock limit of the test"),
    ),
    LinePattern(
        kind=KIND,
        literals=("PBS: job killed: node", "SISTER_EOF"),
        regex=r"PBS: job killed: node \d{1,6} \((?P<host>[^)]{1,200})\) requested job (?:terminate|die).{0,160}",
        make=told(KIND, system="pbs", reason="node_fail"),
        examples=(
            "=>> PBS: job killed: node 3 (n003) requested job terminate, 'EOF' (code 1099) - received SISTER_EOF",
        ),
        ignore=("PBS: job killed: nodes were busy",),
    ),
    LinePattern(
        kind=KIND,
        literals=("TERM_",),
        regex=r"\bTERM_(?P<term>[A-Z_]{3,24}): job (?:killed|suspended|requeued|exited).{0,120}",
        make=_lsf,
        examples=("TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.",),
        ignore=("TERM_PROGRAM=vscode",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Exited with exit code ",),
        regex=r"^Exited with exit code (?P<code>\d{1,3})\.\s*$",
        make=told(KIND, system="lsf", reason="exit"),
        examples=("Exited with exit code 137.",),
        ignore=("srun: error: n1: task 0: Exited with exit code 1",),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "exceeds job hard limit",
            "exceeds job soft limit",
            "exceeded hard wallclock",
            "exceeded memory limit",
        ),
        regex=r"job (?P<job>[\d.]{1,16}) exceed(?:s|ed) (?:job (?:hard|soft) limit \"(?P<limit>h_vmem|s_vmem|h_rss|"
        r"mem)\"|"
        r"(?:hard )?memory limit).{0,160}",
        make=told(KIND, system="sge", reason="oom"),
        examples=(
            'job 771.1 exceeds job hard limit "h_vmem" of queue "gpu.q@n1" (6.1G > limit:6.0G) - sending SIGKILL',
        ),
        ignore=("the value exceeds job hard limit words",),
    ),
    LinePattern(
        kind=KIND,
        literals=("exceeded hard wallclock", "exceeded soft wallclock", 'hard limit "h_rt"', 'hard limit "h_cpu"'),
        regex=r"job (?P<job>[\d.]{1,16}) exceed(?:s|ed) (?:(?:hard|soft) wallclock time|job hard limit \"h_(?:rt|"
        r"cpu)\").{0,120}",
        make=told(KIND, system="sge", reason="time_limit"),
        examples=("job 771.1 exceeded hard wallclock time - initiate terminate method",),
        ignore=("job well done",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Job was evicted", "gone over memory limit", "Job was held", "over cgroup memory limit"),
        regex=r"(?P<evicted>Job was evicted)\.?|Job has gone over (?:cgroup )?memory limit of .{1,80}|Job was held\.?",
        make=lambda line, found: event(
            KIND,
            line,
            {
                "system": "htcondor",
                "reason": "preempted" if found["evicted"] else "oom" if "memory" in found[0] else "cancelled",
                "message": found[0].strip(),
            },
        ),
        examples=("004 (771.000.000) 2024-01-31 12:00:00 Job was evicted.",),
        ignore=("the job was evicted from the list",),
    ),
)

PATTERNS: tuple[LinePattern, ...] = (*_SLURM, *_OTHERS)
