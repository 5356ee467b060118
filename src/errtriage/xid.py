"""What NVIDIA's Xid numbers mean, whose fault each usually is, and what to do about it."""

from __future__ import annotations

from functools import lru_cache

from errtriage.values import dataclass

_DO: dict[str, str] = {
    "debug": "Run the program under compute-sanitizer or with CUDA_LAUNCH_BLOCKING=1; if it comes back on this "
    "GPU alone, with other programs too, run a DCGM diagnostic.",
    "drain-reset": "Finish the run, then drain the node and reset the GPU, so that the remapping takes effect.",
    "first": "It follows another error: explain the Xid or the fault that stands before it.",
    "link": "Check the NVLink or chip-to-chip link (nvidia-smi nvlink -e), the fabric manager and the seating; "
    "reset the GPU; take the node out if it returns.",
    "none": "Nothing has to be done at once.",
    "power": "Check the auxiliary power cables of the GPU.",
    "reboot": "Take the node out and reboot it; look for power, cooling and seating; replace the GPU if it returns.",
    "replace": "Drain the node, reset the GPU, and have it replaced if it returns.",
    "reset": "Drain the node and reset the GPU (nvidia-smi --gpu-reset) or reboot; report it if it returns.",
    "reset-count": "Drain the node, reset the GPU, look at nvidia-smi -q -d ECC,ROW_REMAPPER, and replace it "
    "if it returns.",
    "reset-driver": "Reset the GPU or reboot the node, and update the driver.",
    "restart": "Restart the run; if it comes back on this GPU, change the node and run a DCGM diagnostic.",
    "slot": "Check the PCIe slot, risers and cables (lspci -vv, nvidia-smi -q); take the node out if it returns.",
    "support": "Keep the output of nvidia-bug-report.sh and ask NVIDIA's support.",
    "update": "Bring the driver, firmware and guest driver to versions that fit.",
    "watch": "Go on, but watch the count of errors of this GPU.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Xid:
    """One Xid. `blame` is hardware, link, driver, program, or unknown where NVIDIA says nothing."""

    number: int
    name: str
    meaning: str
    blame: str
    action: str


@lru_cache(maxsize=1)
def _table() -> dict[int, Xid]:
    from pathlib import Path

    table = Path(__file__).parent / "data" / "xid.tsv"
    rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {
        int(number): Xid(number=int(number), name=name, meaning=meaning, blame=blame, action=_DO[action])
        for number, name, meaning, blame, action in rows
    }


def read_xid(number: int) -> Xid | None:
    """Return what is known of an Xid number, or None for one that is not in the driver's header.

    Numbers and names: nverror.h of open-gpu-kernel-modules 595.45; meanings and actions: NVIDIA's Xid catalogue.
    """
    return _table().get(number)


def xid_fields(number: str) -> dict[str, str]:
    """Return the fields `xid_name`, `xid_meaning`, `xid_blame` and `xid_action` for the number as it is printed."""
    known = read_xid(int(number)) if number.isdigit() and len(number) < 6 else None
    if known is None:
        return {}
    return {
        "xid_name": known.name,
        "xid_meaning": known.meaning,
        "xid_blame": known.blame,
        "xid_action": known.action,
    }
