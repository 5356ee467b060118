"""What the kernel and NVIDIA's driver say, and what Xid numbers and exit codes mean."""

from __future__ import annotations

import pytest

from errtriage.exits import exit_fields, read_exit, signal_name, signal_of
from errtriage.xid import read_xid
from groups_of import fields_of, groups_of

XIDS = {
    "NVRM: Xid (PCI:0000:c1:00): 79, pid=4242, name=python, GPU has fallen off the bus.": ("79", "hardware"),
    "kernel: NVRM: Xid (PCI:0000:01:00): 48, An uncorrectable double bit error (DBE) has been detected": (
        "48",
        "hardware",
    ),
    "[12345.678901] NVRM: Xid (0000:01:00): 13, 0003 00000000 00008597 00000000": ("13", "program"),
    "NVRM: Xid (PCI:0000:07:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error": ("74", "link"),
    "NVRM: Xid (PCI:0000:07:00): 119, pid=1, name=python3, Timeout after 6s of waiting for RPC response": (
        "119",
        "driver",
    ),
    "XidCriticalError: Xid=94 on Device=GPU-0d1b6f0c, the device will go unhealthy.": ("94", "hardware"),
}


@pytest.mark.parametrize("line", XIDS)
def test_an_xid_tells_number_and_blame(line: str) -> None:
    """Every layout of the line gives the number, what it means, whose fault it usually is and what to do."""
    (told,) = fields_of(line, "kernel_log")
    assert (told["xid"], told["xid_blame"]) == XIDS[line]
    assert told["xid_meaning"]
    assert told["xid_action"]


def test_every_xid_is_known() -> None:
    """All numbers of the driver's header have a name, a meaning, a blame and an action."""
    known = [read_xid(number) for number in range(177)]
    assert all(xid is not None and xid.name and xid.meaning and xid.action for xid in known)
    assert {xid.blame for xid in known if xid} == {"hardware", "link", "driver", "program", "unknown"}
    assert read_xid(9999) is None


def test_an_oom_kill_tells_process_and_memory() -> None:
    """The kernel's line gives the process, its number, the memory it held in bytes, and whose limit it was."""
    line = (
        "[Sat Nov 19 10:21:37 2022] Memory cgroup out of memory: Killed process 812 (nmt_train) total-vm:13377120kB, "
        "anon-rss:7011840kB, file-rss:61204kB, shmem-rss:16kB, UID:0 pgtables:13432kB oom_score_adj:0"
    )
    (told,) = fields_of(line, "kernel_log")
    assert (told["what"], told["scope"], told["process"], told["pid"]) == ("oom_kill", "cgroup", "nmt_train", "812")
    assert int(told["memory"]) == 7011840 * 1024


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("Out of memory: Kill process 2207 (python) score 901 or sacrifice child", "oom_kill"),
        ("python invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0", "oom_invoked"),
        (
            "python[4242]: segfault at 0 ip 00007f31 sp 00007ffd error 4 in libtorch_cpu.so[7f3100000000+1a000000]",
            "segfault",
        ),
        ("INFO: task python:4242 blocked for more than 120 seconds.", "hung_task"),
        ("NVRM: GPU at 00000000:41:00.0 has fallen off the bus.", "off_bus"),
        ("Failed to initialize NVML: Driver/library version mismatch", "nvml"),
        ("nvidia-nvswitch0: SXid (PCI:0000:c5:00.0): 20034, Fatal, Link 32 LTSSM Fault Up", "nvlink"),
        ("EDAC MC0: 1 UE memory read error on CPU_SrcID#0_MC#0_Chan#1_DIMM#0", "ecc"),
        ("nfs: server 10.1.2.3 not responding, still trying", "storage"),
    ],
)
def test_kinds_of_kernel_lines(line: str, what: str) -> None:
    """Each line is told as what it is."""
    assert [one["what"] for one in fields_of(line, "kernel_log")] == [what]


@pytest.mark.parametrize(
    "line",
    [
        "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.104.05",
        "nvidia-nvlink: Nvlink Core is being initialized, major device number 510",
        "[    812]     0   812  3529889  1654630 13754368        0             0 nmt_train",
        "docker0: port 1(veth2d9a44e) entered disabled state",
        "nv-fabricmanager[991]: Successfully configured all the available NVSwitches",
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
    ],
)
def test_healthy_kernel_lines_are_nothing(line: str) -> None:
    """Lines of a healthy machine give no event of the kernel."""
    assert fields_of(line, "kernel_log") == []


def test_a_lost_gpu_is_named_over_several_lines() -> None:
    """The driver's sentence over three lines is one event with the address of the GPU."""
    start = "Jun 03 09:41:33 lab4090 kernel: NVRM: "
    text = (
        f"{start}The NVIDIA GPU 0000:41:00.0\n{start}(PCI ID: 10de:2684) installed in this system has\n"
        f"{start}fallen off the bus and is not responding to commands.\n"
    )
    (group,) = groups_of(text)
    assert (group.event.fields["what"], group.event.fields["device"]) == ("off_bus", "0000:41:00.0")
    assert (group.span.first, group.span.last) == (1, 3)


@pytest.mark.parametrize(
    ("code", "signal"),
    [
        (-9, "SIGKILL"),
        (137, "SIGKILL"),
        (139, "SIGSEGV"),
        (-7, "SIGBUS"),
        (134, "SIGABRT"),
        (143, "SIGTERM"),
        (1, None),
        (255, None),
    ],
)
def test_exit_codes_name_their_signals(code: int, signal: str | None) -> None:
    """Negative codes of Python and codes over 128 of shells are signals, others are not."""
    assert signal_of(code) == signal
    assert read_exit(code).meaning


@pytest.mark.parametrize("text", ["9", "SIGKILL", "KILL", "Signals.SIGKILL", "Killed", "killed"])
def test_all_spellings_of_a_signal_are_one(text: str) -> None:
    """Numbers, names and the shells' words give the one name."""
    assert signal_name(text) == "SIGKILL"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Command '['python', 'a.py']' died with <Signals.SIGKILL: 9>.", {"exitcode": "-9", "signal": "SIGKILL"}),
        ("Command 'x' returned non-zero exit status 1.", {"exitcode": "1"}),
        ("process 1 terminated with signal SIGSEGV", {"exitcode": "-11", "signal": "SIGSEGV"}),
        ("process 1 terminated with exit code 3", {"exitcode": "3"}),
        ("DataLoader worker (pid 2) is killed by signal: Bus error. ", {"exitcode": "-7", "signal": "SIGBUS"}),
        ("the existing code base", {}),
    ],
)
def test_messages_tell_how_a_process_ended(message: str, expected: dict[str, str]) -> None:
    """Exceptions about other processes give the exit code and the signal."""
    assert exit_fields(message) == expected


def test_windows_codes_are_known() -> None:
    """An access violation is told as one, in the signed and the unsigned spelling."""
    assert "access violation" in read_exit(-1073741819).meaning
    assert read_exit(-1073741819).meaning == read_exit(0xC0000005).meaning
