"""Lines of Kubernetes, Docker, clouds, CI runners and notebooks that say why a container or session was ended.

They are `scheduler` events with the same words for `reason` as in `scheduler`, and also admission (no room for it).
"""

from __future__ import annotations

import re

from errtriage.exits import signal_name, signal_of
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, event, told

KIND = "scheduler"

_REASONS = {
    "OOMKilled": "oom",
    "Init:OOMKilled": "oom",
    "SystemOOM": "oom",
    "Evicted": "evicted",
    "TaintManagerEviction": "evicted",
    "EvictionByEvictionAPI": "evicted",
    "DeletionByTaintManager": "evicted",
    "DeadlineExceeded": "time_limit",
    "Preempted": "preempted",
    "Preempting": "preempted",
    "PreemptionByScheduler": "preempted",
    "PreemptionByKubeScheduler": "preempted",
    "NodeLost": "node_fail",
    "NodeShutdown": "node_fail",
    "NodeNotReady": "node_fail",
    "ContainerStatusUnknown": "node_fail",
    "TerminationByKubelet": "node_fail",
    "Terminated": "exit",
    "Error": "exit",
    "BackoffLimitExceeded": "exit",
    "CrashLoopBackOff": "exit",
    "ContainerCannotRun": "exit",
    "StartError": "exit",
    "UnexpectedAdmissionError": "admission",
    "FailedScheduling": "admission",
    "OutOfcpu": "admission",
    "OutOfmemory": "admission",
    "NodeAffinity": "admission",
    "ImagePullBackOff": "admission",
    "ErrImagePull": "admission",
    "InvalidImageName": "admission",
    "CreateContainerConfigError": "admission",
    "CreateContainerError": "admission",
    "RunContainerError": "admission",
    "FailedMount": "admission",
    "FailedCreatePodSandBox": "admission",
    "Unhealthy": "exit",
    "BackOff": "exit",
    "Init:Error": "exit",
    "Init:CrashLoopBackOff": "exit",
}
_NAMES = "|".join(sorted(map(re.escape, _REASONS.keys() - {"Error", "Terminated"}), reverse=True))


def _kubernetes(line: Line, found: re.Match[str]) -> Event:
    name = found["name"]
    return event(
        KIND, line, {"system": "kubernetes", "reason": _REASONS[name], "name": name, "message": found[0].strip()}
    )


def _first(found: re.Match[str], **reasons: str) -> str:
    return next((reason for group, reason in reasons.items() if found[group]), "exit")


def _exit_code(line: Line, found: re.Match[str]) -> Event | None:
    if found["code"] == "0":
        return None
    fields = {"code": found["code"], "signal": signal_of(found["code"])}
    return event(KIND, line, {"system": "kubernetes", "reason": "exit", "message": found[0].strip(), **fields})


# Reasons: k8s.io/api/core/v1 and batch/v1, kubelet's eviction manager; texts of kubectl describe and get.
_KUBERNETES: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=(*(name for name in _REASONS if len(name) > 6 and name != "Terminated"), "Reason:       Error"),
        regex=rf"(?:\b[Rr]eason\"?(?:=|:)\s{{0,24}}\"?|^(?:\d{{1,6}}[smhd]\w{{0,6}}\s+)?(?:Warning|Normal)\s+|"
        rf"^\S{{1,253}}\s+\d+/\d+\s+|\bstatus (?:is )?)(?P<name>{_NAMES}|(?<=Reason:       )Error)\b.{{0,240}}",
        make=_kubernetes,
        examples=(
            "      Reason:       OOMKilled",
            "train-worker-0   0/1     OOMKilled   0          12m",
            "Warning  Evicted  3m  kubelet  The node was low on resource: memory.",
            '{"reason":"OOMKilled","exitCode":137}',
            "Warning  FailedScheduling  10s  default-scheduler  0/3 nodes are available: 3 Insufficient "
            "nvidia.com/gpu.",
        ),
        ignore=("class OOMKilled(Exception):", "StatusCode.DEADLINE_EXCEEDED", "Preempted requests: 0"),
    ),
    LinePattern(
        kind=KIND,
        literals=('OOMKilled": true', 'OOMKilled":true', "OOMKilled=true"),
        regex=r"OOMKilled(?:\":\s?|=)true",
        make=told(KIND, system="docker", reason="oom"),
        examples=('"OOMKilled": true,',),
        ignore=('"OOMKilled": false,',),
    ),
    LinePattern(
        kind=KIND,
        literals=("Exit Code: ", "exitCode", "exit code "),
        regex=r"(?:^\s*Exit Code:\s{1,20}|\"?\bexitCode\"?(?:=|:)\s?|^command terminated with exit code "
        r")(?P<code>\d{1,3})\b",
        make=_exit_code,
        examples=("      Exit Code:    137", '"exitCode":137,', "command terminated with exit code 137"),
        ignore=("      Exit Code:    0", "Process finished with exit code 0"),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "was low on resource",
            "node had condition: [",
            "exceeds the limit",
            "ephemeral local storage",
            "ephemeral storage limit",
        ),
        regex=r"The node (?:was low on resource: |had condition: \[)(?P<resource>[\w.-]{1,40}).{0,200}|"
        r"Usage of EmptyDir volume .{1,80}exceeds the limit.{0,80}|"
        r"(?:[Cc]ontainer|Pod).{0,120}? exceed(?:s|ed).{0,20}? ephemeral.{0,10}?storage.{0,80}",
        make=told(KIND, system="kubernetes", reason="evicted"),
        examples=("The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 8Gi.",),
        ignore=("the price exceeds the limit",),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "longer than specified deadline",
            "System OOM encountered",
            "imminent node shutdown",
            "specified backoff limit",
        ),
        regex=r"(?P<time>(?:Job|Pod) was active.{0,40}? longer than (?:the )?specified deadline)|"
        r"(?P<oom>System OOM encountered), victim process: (?P<process>[^,]{1,64}), pid: (?P<pid>\d{1,10})|"
        r"(?P<node>Pod was terminated in response to imminent node shutdown)|Job has reached the specified backoff "
        r"limit",
        make=lambda line, found: event(
            KIND,
            line,
            {
                "system": "kubernetes",
                "reason": _first(found, time="time_limit", oom="oom", node="node_fail"),
                "process": found["process"],
                "pid": found["pid"],
                "message": found[0].strip(),
            },
        ),
        examples=(
            "Job was active longer than specified deadline",
            "System OOM encountered, victim process: python, pid: 4242",
        ),
        ignore=("it took longer than specified",),
    ),
)
_CLOUDS: tuple[LinePattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=("pot instance", "pot Instance", "preempt", "Preempt", "nstance-action", "interruption notice"),
        regex=r"\b(?:[Ss]pot [Ii]nstance|[Ii]nstance|VM|[Nn]ode|[Mm]achine|[Pp]od|[Jj]ob|[Ww]orker)\b.{0,80}?"
        r"(?:(?:is|was|will be|being|has been|about to be)\b.{0,20}? (?:preempted|reclaimed|interrupted|evicted|"
        r"terminated by spot)|"
        r"interruption (?:notice|warning)|rebalance recommendation).{0,120}|compute\.instances\.preempted|"
        r"\"EventType\":\s?\"Preempt\"|Preempted by .{1,120}",
        make=told(KIND, system="cloud", reason="preempted"),
        examples=(
            "EC2 Spot Instance interruption notice received, shutting down in 120 s",
            "Instance gpu-7 is being preempted.",
            "Preempted by default/urgent-train on node gpu-3",
        ),
        ignore=("preemption handler registered", "Preempted requests: 0", "preempt_when_idle: true"),
    ),
    LinePattern(
        kind=KIND,
        literals=("MaxRuntimeExceeded", "maximum execution time", "execution took longer than", "maximum runtime"),
        regex=r"MaxRuntimeExceeded|has exceeded the maximum execution time of .{1,40}|execution took longer than "
        r"\S{1,20}"
        r"(?: seconds)?|exceeded (?:its|the) maximum runtime.{0,80}",
        make=told(KIND, system="cloud", reason="time_limit"),
        examples=("The job running on runner X has exceeded the maximum execution time of 360 minutes.",),
        ignore=("maximum execution time: 360 minutes",),
    ),
    LinePattern(
        kind=KIND,
        literals=("operation was canceled", "received a shutdown signal", "workflow run was canceled"),
        regex=r"(?:##\[error\]|Error: )?The (?:operation was canceled|runner has received a shutdown signal).{0,200}",
        make=told(KIND, system="ci", reason="cancelled"),
        examples=("##[error]The operation was canceled.", "The runner has received a shutdown signal."),
        ignore=("the operation was cancelled by the user's choice",),
    ),
    LinePattern(
        kind=KIND,
        literals=("rocess exited, code=killed", "rocess exited, code=dumped"),
        regex=r"(?P<name>[\w@.-]{1,200}\.(?:service|scope)): \w{4,7} process exited, code=(?:killed|dumped), "
        r"status=(?P<code>\d{1,3})/(?P<signal>[A-Z]{3,6})",
        make=lambda line, found: event(
            KIND,
            line,
            {
                "system": "systemd",
                "reason": "exit",
                "name": found["name"],
                "code": found["code"],
                "signal": signal_name(found["signal"]),
                "message": found[0],
            },
        ),
        examples=("train.service: Main process exited, code=killed, status=9/KILL",),
        ignore=("train.service: Main process exited, code=exited, status=1/FAILURE",),
    ),
    LinePattern(
        kind=KIND,
        literals=("using all available RAM",),
        regex=r"[Yy]our session crashed after using all available RAM\.?",
        make=told(KIND, system="colab", reason="oom"),
        examples=("Your session crashed after using all available RAM.",),
        ignore=("using all available RAM disks",),
    ),
    LinePattern(
        kind=KIND,
        literals=(
            "nvidia-container-cli:",
            "could not select device driver",
            "OCI runtime create failed",
            "exec format error",
        ),
        regex=r"nvidia-container-cli: .{1,200}|could not select device driver .{1,120}|OCI runtime create failed"
        r".{0,1000}|"
        r"exec(?: \S{1,200}| user process caused)?: \"?exec format error.{0,40}",
        make=told(KIND, system="docker", reason="admission"),
        examples=(
            'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].',
            "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.4",
        ),
        ignore=("nvidia-container-cli --version",),
    ),
)

PATTERNS: tuple[LinePattern, ...] = (*_KUBERNETES, *_CLOUDS)
