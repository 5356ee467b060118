"""Lines of the kernel and of NVIDIA's driver (dmesg, journald): Xids, OOM kills, faults, hung tasks.

`what` is xid, off_bus, oom_kill, oom_invoked, oom_reaped, segfault or hung_task here; nvlink, ecc, pcie, storage,
nvml or fabric_manager in `kernel_hardware`.
"""

from __future__ import annotations

import re

from errtriage.model import Event, Line
from errtriage.patterns.base import Block, BlockPattern, Fed, LinePattern, compiled, event, told
from errtriage.values import dataclass
from errtriage.xid import xid_fields

KIND = "kernel_log"
_EARLIER_XID = r"caused by previous Xid (?P<xid>\d{1,3})"  # of a channel that was torn down after another error


def _xid(line: Line, found: re.Match[str]) -> Event:
    fields = {k: v.strip() if v else None for k, v in found.groupdict().items()}
    earlier = compiled(_EARLIER_XID).search(fields.get("message") or "")
    number = earlier["xid"] if earlier else found["xid"]
    return event(KIND, line, {"what": "xid", **fields, "xid": number, **xid_fields(number)})


def _oom_kill(line: Line, found: re.Match[str]) -> Event:
    """Make the event of a kill; `memory` is the RAM that the process held, in bytes (the kernel prints KiB)."""
    memory = str(int(found["anon"]) * 1024) if found["anon"] else None
    scope = "cgroup" if found["cgroup"] else "host"
    fields = {"process": found["process"], "pid": found["pid"], "memory": memory}
    return event(KIND, line, {"what": "oom_kill", "scope": scope, "message": found[0].strip(), **fields})


def _oom_summary(line: Line, found: re.Match[str]) -> Event:
    scope = "cgroup" if found["constraint"] == "MEMCG" else "host"
    fields = {"process": found["process"], "pid": found["pid"], "cgroup": found["cgroup"]}
    return event(KIND, line, {"what": "oom_kill", "scope": scope, "message": found[0].strip(), **fields})


@dataclass
class _OffBus:
    """The sentence that the driver prints over several lines when a GPU is gone at start."""

    first: Line
    device: str
    lines: int = 0
    last: Line | None = None

    def feed(self, line: Line) -> Fed:
        self.lines += 1
        if "fallen off the bus" in line.text:
            self.last = line
            return Fed.LAST
        return Fed.TAKEN if "NVRM: " in line.text and self.lines < 4 else Fed.ENDED

    def close(self) -> tuple[Event, ...]:
        if self.last is None:
            return ()
        fields = {"what": "off_bus", "device": self.device, "message": self.last.text.strip()}
        return (event(KIND, self.first, fields, text=self.last.text.strip(), last=self.last),)


@dataclass(slots=True)
class OffBus:
    """Opened by the line that names the GPU."""

    kind: str = KIND
    literals: tuple[str, ...] = ("NVRM: The NVIDIA GPU ",)
    bound: int = 6
    examples: tuple[str, ...] = (
        "NVRM: The NVIDIA GPU 0000:41:00.0\nNVRM: (PCI ID: 10de:2684) installed in this system has\n"
        "NVRM: fallen off the bus and is not responding to commands.",
    )
    ignore: tuple[str, ...] = ("NVRM: The NVIDIA GPU driver is loaded",)

    def open(self, line: Line) -> Block | None:
        """Open where the line ends in the GPU's address."""
        found = compiled(r"NVRM: The NVIDIA GPU (?P<device>[0-9a-fA-F:.]{5,16})").search(line.text)
        return _OffBus(first=line, device=found["device"]) if found else None


# Formats: open-gpu-kernel-modules nvErrorLog (Xid); mm/oom_kill.c, arch/x86/mm/fault.c, kernel/hung_task.c of Linux.
PATTERNS: tuple[LinePattern | BlockPattern, ...] = (
    LinePattern(
        kind=KIND,
        literals=("NVRM: Xid", "Xid (PCI:"),
        regex=r"\bXid \((?:PCI:)?(?P<device>[0-9a-fA-F:.]{5,16})(?: GPU-I:\w+)?\): (?P<xid>\d{1,3})"
        r"(?:, pid='?(?P<pid>\d{1,10}|<unknown>)'?)?(?:, name=(?P<process>[^,]{1,64}))?"
        r"(?:,\s*(?P<message>\S.{0,400}))?",
        make=_xid,
        examples=(
            "NVRM: Xid (PCI:0000:c1:00): 79, pid=4242, name=python, GPU has fallen off the bus.",
            "[ 12.5] NVRM: Xid (PCI:0000:01:00): 48, An uncorrectable double bit error (DBE) has been detected",
            "NVRM: Xid (0000:01:00): 13, 0003 00000000 00008597 00000000",
        ),
        ignore=("NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.104.05",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Xid=", "Xid: ", "XID: ", "XID error"),
        regex=r"(?:XidCriticalError: )?\b(?:Xid|XID)(?:=|: | error:? )(?P<xid>\d{1,3})\b"
        r"(?: on (?:Device|device|GPU)[= ](?P<device>[\w-]{1,64}))?(?P<message>.{0,200})",
        make=_xid,
        examples=("XidCriticalError: Xid=48 on Device=GPU-0d1b6f0c-86a1, the device will go unhealthy.",),
        ignore=("Xid: none",),
    ),
    OffBus(),
    LinePattern(
        kind=KIND,
        literals=("fallen off the bus",),
        regex=r"(?:GPU(?: at)? (?:PCI:)?(?P<device>[0-9a-fA-F:.]{4,15}[0-9a-fA-F])[: ]{1,2}.{0,40}?)?"
        r"fallen off the bus",
        make=told(KIND, what="off_bus"),
        examples=(
            "NVRM: GPU 0000:41:00.0: GPU has fallen off the bus.",
            "NVRM: fallen off the bus and is not responding to commands.",
            "NVRM: GPU at 00000000:41:00.0 has fallen off the bus.",
        ),
        ignore=("he has fallen off the bike",),
    ),
    LinePattern(
        kind=KIND,
        literals=("GPU is lost", "device handle for GPU"),
        regex=r"(?:Unable to determine the device handle for (?:GPU|gpu) ?(?P<device>[0-9a-fA-F:.]{4,16}): .{1,80}|"
        r"\bGPU is lost\b.{0,80})",
        make=told(KIND, what="nvml"),
        examples=(
            "Unable to determine the device handle for GPU0000:41:00.0: Unknown Error",
            "Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost.  Reboot the system to recover",
        ),
        ignore=("the GPU is losing time",),
    ),
    LinePattern(
        kind=KIND,
        literals=("Out of memory: Kill", "emory cgroup out of memory: Kill", "ask in /"),
        regex=r"(?:(?P<cgroup>[Mm]emory cgroup out of memory|"
        r"[Tt]ask in /\S{0,300} killed as a result of limit of \S{1,300})|"
        r"Out of memory)(?:: Kill(?:ed)? process (?P<pid>\d{1,10}),? \((?P<process>[^)]{1,64})\)"
        r"(?:.{0,200}?anon-rss:(?P<anon>\d{1,15})kB)?)?",
        make=_oom_kill,
        examples=(
            "Memory cgroup out of memory: Killed process 812 (nmt_train) total-vm:13377120kB, anon-rss:7011840kB, "
            "file-rss:61204kB, shmem-rss:16kB, UID:0 pgtables:13432kB oom_score_adj:0",
            "Out of memory: Kill process 2207 (python) score 901 or sacrifice child",
        ),
        ignore=(
            "oom_reaper: reaped process 812 (nmt_train), now anon-rss:0kB",
            "CUDA out of memory. Tried to allocate",
        ),
    ),
    LinePattern(
        kind=KIND,
        literals=("oom-kill:constraint=",),
        regex=r"oom-kill:constraint=CONSTRAINT_(?P<constraint>[A-Z_]{1,24}).{0,1200}?(?:task_memcg=(?P<cgroup>[^,]{1,400}),)"
        r"task=(?P<process>[^,]{1,64}),pid=(?P<pid>\d{1,10})",
        make=_oom_summary,
        examples=(
            "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=5c20,mems_allowed=0,oom_memcg=/docker/5c20,"
            "task_memcg=/docker/5c20,task=nmt_train,pid=812,uid=0",
        ),
        ignore=("oom-kill:constraint=",),
    ),
    LinePattern(
        kind=KIND,
        literals=("invoked oom-killer",),
        regex=r"(?P<process>[^\s:\]]{1,64}) invoked oom-killer: .{0,200}",
        make=told(KIND, what="oom_invoked"),
        examples=("python invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",),
        ignore=("the oom-killer is off",),
    ),
    LinePattern(
        kind=KIND,
        literals=("oom_reaper: reaped process",),
        regex=r"oom_reaper: reaped process (?P<pid>\d{1,10}) \((?P<process>[^)]{1,64})\).{0,120}",
        make=told(KIND, what="oom_reaped"),
        examples=("oom_reaper: reaped process 812 (nmt_train), now anon-rss:0kB, file-rss:61204kB, shmem-rss:16kB",),
        ignore=("oom_reaper: started",),
    ),
    LinePattern(
        kind=KIND,
        literals=("systemd-oomd", "killed by the OOM killer"),
        regex=r"systemd-oomd(?:\[\d{1,10}\])?: Killed (?P<process>\S{1,300}) due to memory .{0,200}|"
        r"(?P<unit>\S{1,200}): A process of this unit has been killed by the OOM killer\.",
        make=told(KIND, what="oom_kill", scope="cgroup"),
        examples=(
            "systemd-oomd[711]: Killed /user.slice/user-1000.slice/x.scope due to memory pressure for /user.slice "
            "being 61.2% > 50.00% for > 20s with reclaim activity",
            "train.service: A process of this unit has been killed by the OOM killer.",
        ),
        ignore=("Started systemd-oomd.service",),
    ),
    LinePattern(
        kind=KIND,
        literals=("]: segfault at ", "general protection fault ip", "trap invalid opcode ip", "trap divide error ip"),
        regex=r"(?:traps: )?(?<!\S)(?P<process>[^\s\[]{1,64})\[(?P<pid>\d{1,10})\]:? (?:segfault at "
        r"(?P<address>\w{1,18}) |(?P<trap>general protection fault|trap invalid opcode|trap divide error) )ip.{0,120}?"
        r"(?:in (?P<library>[^\s\[]{1,200}).{0,60})?$",
        make=told(KIND, what="segfault"),
        examples=(
            "python[4242]: segfault at 0 ip 00007f31 sp 00007ffd error 4 in libtorch_cpu.so[7f3100000000+1a000000]",
            "traps: python3[77] trap invalid opcode ip:7f12 sp:7ffd error:0 in libtorch_cpu.so[7f1000000000+5000000]",
        ),
        ignore=("segfault at the end of the talk",),
    ),
    LinePattern(
        kind=KIND,
        literals=("INFO: task ", "soft lockup - CPU#", "hard LOCKUP on cpu", "rcu_sched detected stalls"),
        regex=r"INFO: task (?P<process>[^\s:]{1,64}):(?P<pid>\d{1,10}) blocked for more than "
        r"(?P<seconds>\d{1,6}) seconds|"
        r"soft lockup - CPU#\d{1,5} stuck for \d{1,6}s! \[[^\]]{1,80}\]|hard LOCKUP on cpu \d{1,5}|"
        r"rcu_sched detected stalls",
        make=told(KIND, what="hung_task"),
        examples=("INFO: task python:4242 blocked for more than 120 seconds.",),
        ignore=("INFO: task train finished",),
    ),
)
