"""Catalogues of messages (tab-separated lists of templates) to logs in which each message is printed as programs do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from errtriage.cli.kb_fill import filled
from errtriage.errors import SourceError
from errtriage.values import dataclass

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One row of a catalogue: its list, part and tier, its template, and the logs that print it (old and new form)."""

    catalogue: str
    part: str
    tier: str
    template: str
    logs: tuple[str, ...]


def samples_of(path: Path) -> Iterator[Sample]:
    """Yield the samples of a catalogue. Its list is known by its columns. Raises SourceError."""
    try:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    columns = lines[0].split("\t") if lines else []
    make = next((make for needed, make in _LISTS if needed <= set(columns)), None)
    if make is None:
        raise SourceError(f"{path}: no known list of messages")
    for line in lines[1:]:
        row = dict(zip(columns, line.split("\t"), strict=False))
        part, template, logs = make(row)
        if logs:
            yield Sample(catalogue=path.stem, part=part, tier=row.get("tier", "1"), template=template, logs=tuple(logs))


Made = tuple[str, str, list[str]]


def traceback(kind: str, message: str) -> str:
    """Return an uncaught exception as Python prints it."""
    frame = 'Traceback (most recent call last):\n  File "/app/train.py", line 57, in <module>\n    main()\n'
    return f"{frame}{kind}: {message}\n"


def _warning(category: str, message: str) -> str:
    return f"/app/train.py:57: {category.rpartition('.')[2]}: {message}\n  y = step(x)\n"


def _device_assert(row: Row) -> Made:
    expression = row["expression"]
    if row["kind"] == "message" and not row["macro"].startswith(("CUDA_KERNEL_ASSERT", "tl.device_assert")):
        text = filled(expression)
        raised = "host" in row["macro"] or "TORCH_CHECK" in row["macro"]
        return row["kind"], expression, [traceback("RuntimeError", text) if raised else text + "\n"]
    versions = [part.strip().partition(":")[::2] for part in row["lines"].split(";") if ":" in part]
    eras = list(dict.fromkeys([versions[0], versions[-1]])) if versions else [("2.15.0", "57")]
    return row["kind"], expression, [_assert_line(row, version, lines.split(",")[0]) for version, lines in eras]


def _assert_line(row: Row, version: str, line: str) -> str:
    numbers = [int(part) for part in re.findall(r"\d+", version)[:2]]
    era = tuple(numbers) if len(numbers) == 2 else (2, 15)
    prefix = "/pytorch/" if era < (1, 11) or era >= (2, 9) else "../"
    name = row["function"] if row["function"] not in ("-", "") else "operator()"
    function = f"void {name}(T *, int) [with T = float]" if era < (1, 4) and name != "operator()" else name
    expression = filled(row["expression"]) if row["kind"] == "message" else row["expression"]
    place = f"{prefix}{row['file']}:{line}: {function}: block: [0,0,0], thread: [5,0,0]"
    return f"{place} Assertion `{expression}` failed.\n"


def _numpy(row: Row) -> Made:
    text = filled(row["text"])
    kind = row["class"].split(" (")[0]
    if kind == "stderr line":
        return row["kind"], row["text"], [text + "\n"]
    warns = kind.rpartition(".")[2].endswith("Warning")
    return row["kind"], row["text"], [_warning(kind, text) if warns else traceback(kind, text)]


def _cuda(row: Row) -> Made:
    library, text, printed = row["library"], row["text"], row["how_torch_prints_it"]
    name = f"{row['name']}: {text}"
    if row["number"] == "0" or printed.startswith("printed to"):
        banner = [filled(text) + "\n"] if printed.startswith("printed to") else []
        return library, name, banner
    if library == "cuda-driver":
        same = printed.partition("same number: ")[2]
        text = same if same not in ("", "-") else text
        return library, name, [traceback("RuntimeError", f"CUDA driver error: {filled(text)}")]
    if library == "nccl":
        where = "NCCL error in: /app/ProcessGroupNCCL.cpp:1970"
        detail = (
            "" if text == "-" else f"{where}, {text}, NCCL version 2.18.1\n{row['name']}: detail\nLast error:\nfail"
        )
        return library, name, [traceback("torch.distributed.DistBackendError", detail)] if detail else []
    if library == "torch":
        return library, name, [traceback("RuntimeError", filled(text))]
    if printed == "-":
        return library, name, []
    message = filled(printed.replace("{text}", text).replace("`{}`", "`cublasSgemm(handle)`"))
    return library, name, [traceback(kind, message) for kind in ("RuntimeError", "torch.AcceleratorError")]


def _xid(row: Row) -> Made:
    texts = ["Ch 00000010"] if row["log_text"] == "-" else [filled(text) for text in row["log_text"].split(" || ")]
    start = f"[12345.678901] NVRM: Xid (PCI:0000:3b:00): {row['xid']}, pid=24351, name=python, "
    return "xid", f"{row['xid']} {row['mnemonic']}", [start + text + "\n" for text in texts]


_NO_FAULT = (  # states of jobs that wait, run or ended well: nothing to explain
    "PENDING", "RUNNING", "SUSPENDED", "COMPLETED", "COMPLETING", "CONFIGURING", "RESIZING", "REQUEUED", "REQUEUE_FED",
    "REQUEUE_HOLD", "SPECIAL_EXIT", "STOPPED", "REVOKED", "RESV_DEL_HOLD", "SIGNALING", "STAGE_OUT", "EXPEDITING",
    "Completed", "ContainerCreating", "Terminating",
)  # fmt: skip
_AGENT = "E1130 18:23:15.234000 24351 torch/distributed/elastic/multiprocessing/api.py:897] "
_CONTEXTS: tuple[tuple[str, Callable[[str], str]], ...] = (  # how a text stands in a log, by its start
    (r"= +EXIT CODE: ", lambda text: _mpich_banner(text)),
    (r"Signal |To enable traceback|Process failed with", lambda text: _torchrun_table(text)),
    (r"process \S+ terminated", lambda text: traceback("torch.multiprocessing.spawn.ProcessExitedException", text)),
    (r"DataLoader worker", lambda text: traceback("RuntimeError", text)),
    (
        r"A worker process managed",
        lambda text: traceback("joblib.externals.loky.process_executor.TerminatedWorkerError", text),
    ),
    (r"Rendezvous\w+Error", lambda text: traceback("torch.distributed.elastic.rendezvous.api." + text, "timed out")),
    (r"(?:[a-z_]+\.)+[A-Z]\w+: ", lambda text: traceback(*text.split(": ", 1))),
    (r"failed \(exitcode|Sending process|Unable to|Received |The node ", lambda text: _AGENT + text),
    (r"\w+\.service: |systemd-oomd", lambda text: "Nov 30 18:21:44 node07 systemd[1]: " + text),
    (r"Out of memory|Memory cgroup|oom|traps: |NVRM|INFO: task|EDAC|mce: ", lambda text: "[12345.678901] " + text),
)


def _torchrun_table(text: str) -> str:
    rule = "=" * 60
    return (
        f"{rule}\ntrain.py FAILED\n{'-' * 60}\nFailures:\n  <NO_OTHER_FAILURES>\n{'-' * 60}\n"
        "Root Cause (first observed failure):\n[0]:\n  time      : 2026-11-30_18:21:44\n  host      : node07\n"
        f"  rank      : 1 (local_rank: 1)\n  exitcode  : -9 (pid: 24351)\n  error_file: <N/A>\n  traceback : {text}\n"
        f"{rule}\n"
    )


def _mpich_banner(text: str) -> str:
    rule = "=" * 83
    named = "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   PID 24351 RUNNING AT node07"
    return f"{rule}\n{named}\n{text}\n=   CLEANING UP REMAINING PROCESSES\n{rule}"


def _exit(row: Row) -> Made:
    kind, number = row["kind"], row["number"]
    text = filled(row["token"] if row["text"] == "-" else row["text"])
    reason = f"    State:          Terminated\n      Reason:       {row['token']}\n      Exit Code:    1"
    forms: Mapping[str, str] = {
        "signal": f"bash: line 3: 24351 {text}                  python train.py",
        "shell exit code": f"srun: error: node01: task 0: Exited with exit code {number}",
        "python subprocess / torchrun exitcode": f"{_AGENT}failed (exitcode: {number}) local_rank: 0 (pid: 24351) of "
        "binary: /usr/bin/python",
        "multiprocessing spawn": traceback("torch.multiprocessing.spawn.ProcessExitedException", text),
        "exit code": f"Process finished with exit code {number}",
        "slurm job state": f"State: {row['token']} (exit code 1)",
        "slurm reason": "",  # the waiting list's, no log's
        "kubernetes reason": reason,
    }
    wrap = next((wrap for start, wrap in _CONTEXTS if re.match(start, text)), str)
    log = forms[kind] if kind in forms else wrap(text)
    return kind, row["token"], [log + "\n"] if log and number != "0" and row["token"] not in _NO_FAULT else []


def _torch(row: Row) -> Made:
    text = filled(row["template"])
    kinds = [part.split(" (")[0].strip() for part in row["exception"].split(";")]
    file = row["source_file"].rpartition("/")[2]
    logged = row["kind"].startswith(("log", "LOG")) or (row["kind"] == "str" and file == "ProcessGroupNCCL.cpp")
    if kinds[0].startswith("log") or logged:
        return row["kind"], row["template"], [f"[rank0]:[E1130 18:23:15.234758601 {file}:206] {text}\n"]
    names = [kind if re.fullmatch(r"[A-Za-z_][\w.]*", kind) else "RuntimeError" for kind in kinds]
    form: Callable[[str, str], str] = _warning if names[0].endswith("Warning") else traceback
    return row["kind"], row["template"], [form(name, text) for name in names]


def _nccl(row: Row) -> Made:
    place = f"node01:24351:24377 [0] {row['file'].removeprefix('src/')}:{row['line']} NCCL WARN "
    return "warn", row["template"], ["\n" + place + filled(row["template"]) + "\n"]


_LISTS: tuple[tuple[set[str], Callable[[Row], Made]], ...] = (
    ({"expression", "macro", "lines"}, _device_assert),
    ({"class", "text", "name_or_trigger"}, _numpy),
    ({"library", "how_torch_prints_it"}, _cuda),
    ({"xid", "mnemonic"}, _xid),
    ({"kind", "token", "number"}, _exit),
    ({"exception", "template"}, _torch),
    ({"template", "file", "versions"}, _nccl),
)
