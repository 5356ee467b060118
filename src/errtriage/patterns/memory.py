"""The arithmetic of out-of-memory messages: what was asked for, what there was, and what that says.

Layouts (torch 1.0 to 2.15, HIP and XPU alike): `(GPU n; t total capacity; u already allocated; f free; c cached)` up to
1.3, where `c` is what is cached beside `u`; `r reserved in total by PyTorch` from 1.4, which holds `u`; sentences from
2.1 (`GPU n has a total capacity of t of which f is free. … and r is reserved by PyTorch but unallocated.`); a table of
`name : size` where the cudaMallocAsync backend allocates.
"""

from __future__ import annotations

from errtriage.patterns.base import compiled

_GIB = 1 << 30
_UNITS = {"b": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6}
_SIZE = r"(\d[\d,]{0,30}(?:\.\d{1,6})? ?(?:bytes|[KMGTPEkmgtpe]i?B|B)\b)"
_OOM = (
    r"(?:CUDA|HIP|XPU|MPS backend|GPU) out of memory|[Ee]rror[ :().\w]{0,30}: out of memory|"
    r"would exceed allowed memory|[Tt]ried to allocate (?:more|\d)|Unable to allocate \d|"
    r"[Oo]ut of memory(?: while trying to allocate|: [Ff]ailed| allocating) |"
    r"cudaErrorMemoryAllocation|CUDA_ERROR_OUT_OF_MEMORY|(?:can't|cannot) allocate memory|"
    r"(?:UR|ZE)_RESULT_ERROR_OUT_OF_(?:DEVICE_MEMORY|RESOURCES)|PI_ERROR_OUT_OF_RESOURCES"
)

# What follows or precedes each size, in all layouts.
_SIZES: dict[str, tuple[str, ...]] = {
    "tried": (
        rf"[Tt]ried to allocate (?:more than )?{_SIZE}",
        rf"Unable to allocate {_SIZE} for an array",
        rf"Requested(?: size)? {{0,40}}:? ?{_SIZE}",
        rf"[Oo]ut of memory (?:while trying to allocate|allocating) {_SIZE}",
        rf"[Oo]ut of memory: [Ff]ailed to allocate (?:request for )?{_SIZE}",
    ),
    "total": (
        rf"Device limit {{1,40}}: {_SIZE}",
        rf"total capac(?:i)?ty of {_SIZE}",
        rf"{_SIZE} total capacity",
        rf"max allowed: {_SIZE}",
    ),
    "free": (rf"Free \(according to CUDA\): {_SIZE}", rf"of which {_SIZE} is free", rf"{_SIZE} free\b"),
    "allocated": (
        rf"Currently allocated {{1,40}}: {_SIZE}",
        rf"{_SIZE} is allocated by PyTorch",
        rf"{_SIZE} already allocated",
        rf"MPS allocated: {_SIZE}",
    ),
    "process": (rf"this process has {_SIZE} memory in use",),
    "limit": (rf"{_SIZE} allowed\b",),
    "together": (rf"{_SIZE} reserved in total by PyTorch",),
    "beside": (rf"{_SIZE} is reserved by PyTorch but unallocated", rf"{_SIZE} cached\b"),
}
_DEVICE = r"\b(?:GPU|on device) (\d{1,3})\b"

# A process that reports no memory beside PyTorch's own has a CUDA context, kernels and library workspaces, too.
_CONTEXT = 3 * _GIB // 2
_OTHERS_LEAST = _GIB  # less is a desktop or a context that every process has …
_OTHERS_SHARE = 0.1  # … and so is less than this share of the device
_FRAGMENTS_SHARE = 0.05  # of what PyTorch reserved: below, blocks are merely rounded up
_TOO_BIG_SHARE = 0.5  # of the device: one tensor that no tuning makes fit
_ABSURD = 1 << 40  # a tebibyte for one tensor, where the device's size is not told


def size(text: str) -> int:
    """Return the bytes of a printed size such as `20.00 MiB`; GB and GiB are both 2**30 as in torch's own texts."""
    number, unit = compiled(r"(?<=[\d.]) ?(?=[A-Za-z])").split(text.strip(), maxsplit=1)
    return round(float(number.replace(",", "")) * (1 << 10 * _UNITS[unit[0].lower()]))


def memory_fields(message: str) -> dict[str, str]:
    """Return the sizes that an out-of-memory message holds, in bytes, and `oom`: what they say.

    `reserved` holds `allocated`; `idle` is what of it no tensor uses. `others` is what neither this process nor nobody
    holds: exact where the message tells of this process, else an upper bound that holds the process's own context.
    Empty where the message is none.
    """
    message = message[:8192]
    if compiled(_OOM).search(message) is None:
        return {}
    found = {name: _first(forms, message) for name, forms in _SIZES.items()}
    values = {name: value for name, value in found.items() if value is not None}
    allocated, beside = values.get("allocated"), values.pop("beside", None)
    together, limit = values.pop("together", None), values.pop("limit", None)
    if together is not None:
        values["reserved"] = together
    elif allocated is not None and beside is not None:
        values["reserved"] = allocated + beside
    if allocated is not None and "reserved" in values:
        values["idle"] = max(0, values["reserved"] - allocated)
    total, free = values.get("total"), values.get("free")
    ours = values.get("process", values.get("reserved"))
    if total is not None and free is not None and ours is not None:
        values["others"] = max(0, total - free - ours)
    device = compiled(_DEVICE).search(message)
    fields = {name: str(value) for name, value in values.items()}
    if device is not None:
        fields["device"] = device[1]
    return {**fields, "oom": _reading(values, limit)}


def _first(forms: tuple[str, ...], message: str) -> int | None:
    for form in forms:
        found = compiled(form).search(message)
        if found is not None:
            return size(found[1])
    return None


def _reading(values: dict[str, int], limit: int | None) -> str:
    """Say why the allocation failed.

    too-big: one tensor of more than half of the device. other-process: others hold at least 1 GiB and a tenth of the
    device (beyond 1.5 GiB for this process's context, where that is not told apart), and without them the tensor would
    fit. fragmentation: PyTorch holds enough unused memory for it, at least a twentieth of what it reserved, but in
    pieces. full: the process itself uses the device up. unknown: the message holds too little, or the numbers do not
    explain the failure (more is free than was asked for).
    """
    tried, total, free = values.get("tried"), values.get("total"), values.get("free")
    if tried is None:
        return "unknown"
    if total is None or free is None:
        return "too-big" if tried >= _ABSURD else "unknown"
    if tried > _TOO_BIG_SHARE * min(total, limit or total):
        return "too-big"
    others = values.get("others", 0) - (0 if "process" in values else _CONTEXT)
    if others >= max(_OTHERS_LEAST, _OTHERS_SHARE * total) and free < tried <= free + others:
        return "other-process"
    reserved = values.get("reserved", 0)
    unused = reserved - values.get("allocated", reserved)
    if unused >= max(tried, _FRAGMENTS_SHARE * reserved):
        return "fragmentation"
    if free >= tried and limit is None:
        return "unknown"
    return "full"
