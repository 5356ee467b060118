"""Where a log begins anew: a prompt that starts the program again, a requeued job, an elastic restart, a retry."""

from __future__ import annotations

from errtriage import TYPE_CHECKING
from errtriage.lazy_regex import lazy
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, Pattern, event
from errtriage.regex_store import compiled

if TYPE_CHECKING:
    import re

_PROMPT = lazy(
    r"(?:\+{1,3} |!|In \[\d{1,6}\]: [!%]|"
    r"(?:\([\w.+/-]{1,60}\) ?)?(?:[\w.-]{1,60}@[\w.-]{1,63}(?::| )[^\s$#%>]{0,200} ?[$#%]|\[[^\]\n]{1,100}\][$#]|"
    r"(?:PS )?[A-Za-z]:[\w\\./ +-]{0,200}>|[$>❯]) ?)(?P<command>\S.{0,1000})$"
)
# What starts a program: an interpreter, a launcher or a script, perhaps behind `cd x &&`, `nohup` or `VAR=1`.
_STARTS = lazy(
    r"(?:^|&&|;|\||\bdo|\btime|\bnohup|\bsudo|\bexec|\bstdbuf \S{1,8}|\b[A-Z_][A-Z0-9_]{0,40}=\S{0,200}) {0,3}"
    r"(?:\S{0,200}/)?(?:(?P<python>python[\d.]{0,5}(?:\.exe)?|torchrun|accelerate(?: launch)?|deepspeed|"
    r"mpirun|mpiexec|srun|horovodrun|%?run|composer|colossalai|lightning)\b|(?P<script>(?:bash|sh|\./)\s?\S{0,200}\.sh\b))(?P<rest>.{0,800})"
)
_PROGRAM = lazy(r"(?:^|[\s/\\'\"=])(?P<name>[\w.-]{1,120}\.(?:py|sh|ipynb))\b|(?<=\s)-m (?P<module>[\w.]{1,120})")
_NO_RUN = lazy(r"^\s{1,3}(?:-(?:\s|$|c\b|V\b|-version)|--?h(?:elp)?\b)")
_LOOKS_BACK = lazy(r"(?i)eval|test|infer|predict|plot|check|debug|demo|sample|export|inspect")
_TOOL_MODULES = frozenset({"pip", "venv", "json.tool", "http.server", "torch.utils.collect_env", "site"})


def _command(line: Line, _: re.Match[str]) -> Event | None:
    prompt = _PROMPT.match(line.text.strip())
    started = _STARTS.search(prompt["command"]) if prompt else None
    if prompt is None or started is None or _NO_RUN.match(started["rest"] or ""):
        return None
    program = _PROGRAM.search((started["script"] or "") + started["rest"])
    if program is None or program["module"] in _TOOL_MODULES:
        return None
    fields = {"what": "command", "command": prompt["command"].strip(), "program": program["name"] or program["module"]}
    return event("attempt", line, fields)


COMMAND = LinePattern(
    kind="attempt",
    literals=("python", "torchrun ", "accelerate ", "deepspeed ", "mpirun ", "srun ", ".sh", "%run "),
    regex=r"^",
    make=_command,
    examples=(
        "$ python train.py --epochs 3",
        "(env) user@host:~/x$ cd y && CUDA_VISIBLE_DEVICES=0 python train.py",
        "PS C:\\work> python .\\train.py",
        "(crack) D:\\crackseg>python main.py ipc",
        "+ accelerate launch --num_processes 2 /app/launch.py",
        "$ torchrun --nproc_per_node 2 train.py",
        "root@c0ffee:/w# bash run.sh",
        "$ deepspeed train.py --deepspeed ds.json",
        "$ mpirun -np 4 python train.py",
        "$ srun python train.py",
        "In [3]: %run train.py",
    ),
    ignore=(
        "root@c0ffee:/content# python - <<'P'",
        "$ python -c 'import torch'",
        "$ python -m pip install torch",
        "python train.py",
        "$ srun --jobid=1 nvidia-smi",
        "user@lab:~$ nvidia-smi",
        "please run $ python --version",
    ),
)
RESTART = LinePattern(
    kind="attempt",
    literals=("will restart worker group", "restart_count=", "estarting kernel", "Kernel restarted"),
    regex=r"will restart worker group|\brestart_count=[1-9]|^\W{0,3}(?:Restarting kernel|Kernel restarted)",
    make=lambda line, found: event("attempt", line, {"what": "restart"}) if found else None,
    examples=(
        "[default] Worker group FAILED. 2/3 attempts left; will restart worker group",
        "  restart_count=1",
        "Restarting kernel...",
        "Kernel restarted",
    ),
    ignore=("  restart_count=0", "please try restarting kernel 3"),
)
REQUEUE = LinePattern(
    kind="attempt",
    literals=("REQUEUE", "SLURM_RESTART_COUNT"),
    regex=r"\bDUE TO JOB REQUEUE\b|\bJOB \d{1,12} (?:ON \S{1,80} )?REQUEUED?\b|\bSLURM_RESTART_COUNT\W{1,3}[1-9]",
    make=lambda line, found: event("attempt", line, {"what": "requeue"}) if found else None,
    examples=(
        "slurmstepd: error: *** JOB 4211 ON cn01 CANCELLED AT 2024-01-31T12:00:00 DUE TO JOB REQUEUE ***",
        "SLURM_RESTART_COUNT=1",
    ),
    ignore=("SLURM_RESTART_COUNT=0", "--requeue", "REQUEUE is allowed"),
)
RETRY = LinePattern(
    kind="attempt",
    literals=("Attempt ",),
    regex=r"^\W{0,12}(?:group\])?Attempt (?:[2-9]|\d{2,3}) ?(?:of|/) ?\d{1,3}\W{0,3}$",
    make=lambda line, found: event("attempt", line, {"what": "retry"}) if found else None,
    examples=("##[group]Attempt 2 of 3", "Attempt 2/3"),
    ignore=("Attempt 1 of 3", "Attempt 2 of 3 to download model.bin"),
)

PATTERNS: tuple[Pattern, ...] = (COMMAND, RESTART, REQUEUE, RETRY)


class Programs:
    """Tells a program that is started again from another command in the same terminal, source by source."""

    def __init__(self) -> None:
        """Start without any program."""
        self._seen: dict[str, set[str]] = {}

    def learn(self, made: Event) -> None:
        """Take the name of the program from the outermost frames of its tracebacks."""
        for one in made.frames[:2]:
            if one.function == "<module>" and one.user:
                self._seen.setdefault(made.source, set()).add(compiled(r"[\\/]").split(one.file)[-1])

    def begins(self, made: Event, first: bool) -> bool:
        """Return whether an `attempt` event begins a run: the same program again, or the first thing in its log.

        Another program that follows is a look at what the first one left behind, and belongs to it.
        """
        program = made.fields.get("program")
        if program is None:
            return True
        seen = self._seen.setdefault(made.source, set())
        again = program in seen and not _LOOKS_BACK.search(program)
        seen.add(program)
        return again or first
