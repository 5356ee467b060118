"""Lines of srun, MPI, Ray, pdsh, Horovod and Kubernetes' training operators that say which process or node was lost."""

from __future__ import annotations

from errtriage.exits import signal_of
from errtriage.model import Event, Line
from errtriage.patterns.base import Block, BlockPattern, Fed, LinePattern, compiled, event, replace
from errtriage.patterns.launcher_lines import saying
from errtriage.values import dataclass, field

KIND = "launcher"

_BORDER = r"^\s*(?:-{20,}|={20,})\s*$"
_MPI_KEYS = (
    r"Process name: \[\[[\d,]{1,30}\],(?P<rank>\d{1,7})\]|Exit code:\s{1,8}(?P<exitcode>-?\d{1,11})|"
    r"=?\s{0,4}RANK (?P<hydra_rank>\d{1,7}) PID (?P<pid>\d{1,10}) RUNNING AT (?P<host>\S{1,200})|"
    r"=?\s{0,4}PID (?P<bare_pid>\d{1,10}) RUNNING AT (?P<bare_host>\S{1,200})|"
    r"=?\s{0,4}KILLED BY SIGNAL: (?P<signal>\d{1,3})|=?\s{0,4}EXIT CODE: (?P<hydra_code>-?\d{1,11})"
)


@dataclass
class _MpiReport:
    """The few lines in which mpirun names the process that failed first."""

    first: Line
    last: Line
    values: dict[str, str] = field(default_factory=dict)
    lines: int = 0

    def feed(self, line: Line) -> Fed:
        self.lines += 1
        found = compiled(_MPI_KEYS).search(line.text)
        if found:
            names = {"hydra_rank": "rank", "hydra_code": "exitcode", "bare_pid": "pid", "bare_host": "host"}
            self.values.update({names.get(k, k): v for k, v in found.groupdict().items() if v is not None})
            self.last = line
            return Fed.TAKEN
        if compiled(_BORDER).match(line.text) and self.values:
            return Fed.LAST
        return Fed.TAKEN if self.lines <= 10 else Fed.ENDED

    def close(self) -> tuple[Event, ...]:
        exitcode = self.values.get("exitcode")
        if "signal" in self.values:
            exitcode = f"-{self.values.pop('signal')}"
        rank = self.values.get("rank", "")
        fields = {"what": "exit", "launcher": "mpirun", "root": "yes", **self.values}
        fields.update({"exitcode": exitcode, "signal": signal_of(exitcode)})  # type: ignore[dict-item]
        made = event(KIND, self.first, fields, text=self.last.text.strip(), last=self.last)
        return (replace(made, rank=int(rank) if rank else made.rank, host=fields.get("host") or made.host),)


@dataclass(slots=True)
class MpiReport:
    """Opened by the sentence of Open MPI and PRRTE, or by the banner of MPICH and Intel MPI."""

    kind: str = KIND
    literals: tuple[str, ...] = ("exited with non-zero status, thus causing", "BAD TERMINATION OF ONE OF YOUR")
    bound: int = 16
    examples: tuple[str, ...] = (
        "mpirun detected that one or more processes exited with non-zero status, thus causing\nthe job to be "
        "terminated. "
        "The first process to do so was:\n\n  Process name: [[51290,1],3]\n  Exit code:    1\n" + "-" * 40,
        "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   RANK 1 PID 4242 RUNNING AT node1\n"
        "=   KILLED BY SIGNAL: 9 (Killed)\n" + "=" * 40,
    )
    ignore: tuple[str, ...] = ("processes exited", "BAD TERMINATION")

    def open(self, line: Line) -> Block | None:
        """Open at the first line of the report."""
        return _MpiReport(first=line, last=line)


_LINES: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=(": Exited with exit code ", "srun: error: "),
        regex=r"srun: error: (?P<host>[\w.\[\],-]{1,200}): tasks? (?P<task>[\d,-]{1,200}): (?:Exited with exit code "
        r"(?P<exitcode>\d{1,3})|(?P<signal>Killed|Terminated|Aborted|Segmentation fault|Bus error|Illegal instruction|"
        r"Floating point exception|Hangup|Interrupt)(?: \(core dumped\))?)",
        make=saying("srun", "exit"),
        examples=(
            "srun: error: nid0042: task 0: Exited with exit code 1",
            "srun: error: gpunode-17: tasks 0-3: Killed",
            "srun: error: n1: task 2: Segmentation fault (core dumped)",
        ),
        ignore=("srun: error: Unable to allocate resources: Invalid partition",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Job step aborted: ", "erminated StepId=", "erminating StepId=", "job shutdown initiated", "job "
        "step aborted"),
        regex=r"srun: (?:error: )?(?:Job step aborted: .{0,80}|(?:Force )?[Tt]erminat(?:ing|ed) "
        r"StepId=(?P<name>[\w.+]{1,40})|"
        r"eio_handle_mainloop: Abandoning IO .{0,80})",
        make=saying("srun", "closing_signal"),
        examples=(
            "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.",
            "srun: Terminating StepId=77.0",
        ),
        ignore=("Job step aborted: no",),
    ),
    LinePattern(
        kind=KIND,
        literals=("execve(): ", "couldn't chdir to", "launch failed: "),
        regex=r"(?:slurmstepd|srun): error: (?P<message>execve\(\): .{1,300}|couldn't chdir to .{1,300}|"
        r"(?:Application|task \S{1,40}) launch failed: .{1,160})",
        make=saying("srun", "start_failed"),
        examples=("slurmstepd: error: execve(): pyhton: No such file or directory",),
        ignore=("os.execve(): done",),
    ),
    LinePattern(
        kind=KIND,
        literals=("noticed that process rank",),
        regex=r"noticed that process rank (?P<rank>\d{1,7}) with PID (?P<pid>\d{1,10}|[xX*]{1,12}) "
        r"on node (?P<host>\S{1,200}) exited on(?: signal (?P<signal>\d{1,3})|\s*$)",
        make=saying("mpirun", "exit"),
        examples=("mpirun noticed that process rank 3 with PID 0 on node n2 exited on signal 9 (Killed).",),
        ignore=("it noticed that process rank",),
    ),
    LinePattern(  # the rest of that sentence where it is wrapped
        kind=KIND,
        literals=("signal ",),
        regex=r"^\s{0,8}signal (?P<signal>\d{1,3}) \((?:Killed|Aborted|Segmentation fault|Bus error|Terminated|"
        r"Illegal instruction|Floating point exception)\)\.\s*$",
        make=saying("mpirun", "exit"),
        examples=("signal 9 (Killed).",),
        ignore=("a signal 9 (Killed).", "signal 9 (Killed) was sent to it"),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "MPI_ABORT was invoked on rank", "APPLICATION TERMINATED WITH THE EXIT STRING", "Primary job  "
            "terminated normally",
        ),
        regex=r"Primary job  terminated normally, but \d{1,6} process(?:es)? returned|MPI_ABORT was invoked on rank "
        r"(?P<rank>\d{1,7})(?:.{0,80}? errorcode (?P<exitcode>-?\d{1,11}))?|"
        r"APPLICATION TERMINATED WITH THE EXIT STRING: .{1,60}?\(signal (?P<signal>\d{1,3})\)",
        make=saying("mpirun", "exit"),
        examples=(
            "MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD with errorcode 1.",
            "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)",
        ),
        ignore=("MPI_ABORT is used",),
    ),
    LinePattern(
        kind=KIND,
        literals=("killed due to memory pressure (OOM)", "Workers crashed due to other reasons"),
        regex=r"(?P<oom>\d{1,6}) Workers \(tasks / actors\) killed due to memory pressure \(OOM\)"
        r"(?:, (?P<crashed>\d{1,6}) Workers crashed)?(?:.{0,200}? IP: (?P<host>[\w.:-]{1,60}))?",
        make=saying("ray", "worker_lost"),
        examples=(
            "(raylet) node_manager.cc:3069: 2 Workers (tasks / actors) killed due to memory pressure (OOM), 0 "
            "Workers crashed "
            "due to other reasons at node (ID: 9d04, IP: 10.77.2.14) over the last time period.",
        ),
        ignore=("no Workers crashed due to other reasons",),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "worker died or was killed while executing", "The actor is dead because", "has been marked dead because",
            "worker process has died", "The worker died unexpectedly", "Worker exits unexpectedly", "Raylet is "
            "terminated",
        ),
        regex=r"A worker died or was killed while executing.{0,200}|The actor is dead because.{0,300}|"
        r"[Nn]ode .{0,160}?has been marked dead because.{0,200}|worker process has died.{0,200}|"
        r"The worker died unexpectedly.{0,120}|Worker exits unexpectedly.{0,200}|Raylet is terminated.{0,200}",
        make=saying("ray", "worker_lost"),
        examples=(
            "The actor is dead because its node has died. Node Id: 9d04",
            "The node with node id: 9d04 and address: 10.0.0.2 and node name: 10.0.0.2 has been marked dead because "
            "the "
            "detector has missed too many heartbeats from it.",
            "A worker died or was killed while executing a task by an unexpected system error.",
        ),
        ignore=("The actor is deadlocked",),
    ),
    LinePattern(
        kind=KIND,
        literals=("ssh exited with exit code", "mcmd: connect failed"),
        regex=r"pdsh@(?P<from>[\w.-]{1,200}): (?P<host>[\w.-]{1,200}): (?:ssh exited with exit code "
        r"(?P<exitcode>\d{1,3})|"
        r"mcmd: connect failed.{0,120})",
        make=saying("pdsh", "exit"),
        examples=("pdsh@login1: node07: ssh exited with exit code 255",),
        ignore=("ssh exited with exit code later",),
    ),
    LinePattern(
        kind=KIND,
        literals=("replica(s) failed", "exit with status code", "Process exited with code"),
        regex=r"(?:PyTorchJob|MPIJob|TFJob|TrainJob|PaddleJob) (?P<name>\S{1,200}) is fail(?:ed|ing) because "
        r"\d{1,6} \w{1,20} "
        r"replica\(s\) failed|^\[?\d{0,4}\]?(?:<std\w{3}>:?)?Process (?P<rank>\d{1,7}) exit with status code "
        r"(?P<exitcode>\d{1,3})",
        make=saying("operator", "exit"),
        examples=("PyTorchJob train is failed because 1 Worker replica(s) failed.", "Process 2 exit with status "
        "code 1."),
        ignore=("0 replica(s) failed",),
    ),
)  # fmt: skip

PATTERNS: tuple[LinePattern | BlockPattern, ...] = (MpiReport(), *_LINES)
