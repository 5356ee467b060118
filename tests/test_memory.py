"""Out-of-memory messages of every version: the sizes they hold and what the sizes say."""

from __future__ import annotations

import pytest

from errtriage.model import Event, Span
from errtriage.patterns.enrich import enrich
from errtriage.patterns.memory import memory_fields, size

GIB = 1 << 30
MIB = 1 << 20
OLDEST = (
    "CUDA out of memory. Tried to allocate {tried} (GPU 0; {total} total capacity; {allocated} already allocated; "
    "{free} free; {beside} cached)"
)
OLD = (
    "CUDA out of memory. Tried to allocate {tried} (GPU 0; {total} total capacity; {allocated} already allocated; "
    "{free} free; {reserved} reserved in total by PyTorch) If reserved memory is >> allocated memory try setting "
    "max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF"
)
NEW = (
    "CUDA out of memory. Tried to allocate {tried}. GPU 0 has a total capacity of {total} of which {free} is free. "
    "{processes}Including non-PyTorch memory, this process has {process} memory in use. Of the allocated memory "
    "{allocated} is allocated by PyTorch, and {beside} is reserved by PyTorch but unallocated. If reserved but "
    "unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation."
)
HIDDEN = (
    "CUDA out of memory. Tried to allocate {tried}. GPU 1 has a total capacty of {total} of which {free} is free. "
    "Process 412907 has {process} memory in use. Of the allocated memory {allocated} is allocated by PyTorch, and "
    "{beside} is reserved by PyTorch but unallocated."
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20.00 MiB", 20 * MIB),
        ("1.50 GiB", 3 * GIB // 2),
        ("512 bytes", 512),
        ("1,024 bytes", 1024),
        ("7GB", 7 * GIB),
        ("2.00 PiB", 2 << 50),
        ("1EB", 1 << 60),
    ],
)
def test_size(text: str, expected: int) -> None:
    """A printed size is read in bytes, by powers of 1024."""
    assert size(text) == expected


@pytest.mark.parametrize(
    ("layout", "told"),
    [
        (OLDEST, {"reserved": 9 * GIB, "others": 1 * GIB}),
        (OLD, {"reserved": 9 * GIB, "others": 1 * GIB}),
        (NEW, {"reserved": 9 * GIB, "process": 19 * GIB // 2, "others": GIB // 2}),
        (HIDDEN, {"reserved": 9 * GIB, "others": 1 * GIB}),
        (OLD.replace("CUDA", "HIP"), {"reserved": 9 * GIB}),
        (HIDDEN.replace("CUDA", "XPU"), {"reserved": 9 * GIB}),
    ],
)
def test_layouts(layout: str, told: dict[str, int]) -> None:
    """Every layout gives the same sizes in bytes; `reserved` holds `allocated` in all of them."""
    fields = memory_fields(
        layout.format(
            tried="2.00 GiB", total="11.00 GiB", allocated="8.00 GiB", free="1.00 GiB", beside="1.00 GiB",
            reserved="9.00 GiB", process="9.50 GiB", processes="Process 77 has 512.00 MiB memory in use. ",
        )
    )  # fmt: skip
    assert fields["tried"] == str(2 * GIB)
    assert fields["total"] == str(11 * GIB)
    assert fields["allocated"] == str(8 * GIB)
    assert fields["free"] == str(GIB)
    assert {name: int(fields[name]) for name in told} == told
    assert fields["device"] in ("0", "1")


@pytest.mark.parametrize(
    ("values", "reading"),
    [
        # tried, total, free, process, allocated, beside
        (("20.00 MiB", "10.00 GiB", "5.00 MiB", "9.90 GiB", "9.00 GiB", "50.00 MiB"), "full"),
        (("6.00 GiB", "10.00 GiB", "5.50 GiB", "4.00 GiB", "3.00 GiB", "50.00 MiB"), "too-big"),
        (("2.00 GiB", "24.00 GiB", "100.00 MiB", "3.00 GiB", "2.00 GiB", "100.00 MiB"), "other-process"),
        (("2.00 GiB", "24.00 GiB", "100.00 MiB", "23.50 GiB", "18.00 GiB", "5.00 GiB"), "fragmentation"),
        (("20.00 MiB", "24.00 GiB", "10.00 MiB", "23.50 GiB", "22.50 GiB", "100.00 MiB"), "full"),
        (("2.00 GiB", "24.00 GiB", "18.00 GiB", "3.00 GiB", "2.00 GiB", "100.00 MiB"), "unknown"),
        (("20.00 GiB", "80.00 GiB", "1.00 GiB", "70.00 GiB", "68.00 GiB", "100.00 MiB"), "full"),
    ],
)
def test_readings(values: tuple[str, ...], reading: str) -> None:
    """The sizes decide between another process, fragmentation, one tensor too big and a device that is simply full."""
    tried, total, free, process, allocated, beside = values
    text = NEW.format(
        tried=tried, total=total, free=free, process=process, allocated=allocated, beside=beside, processes=""
    )
    assert memory_fields(text)["oom"] == reading


def test_context_is_no_other_process() -> None:
    """Where the message does not tell of this process, its own context is not taken for another process."""
    sizes = {"tried": "20.00 MiB", "total": "8.00 GiB", "free": "10.00 MiB", "beside": "10.00 MiB"}
    own = OLD.format(**sizes, allocated="6.50 GiB", reserved="6.60 GiB")
    assert memory_fields(own)["oom"] == "full"
    other = OLD.format(**sizes, allocated="2.50 GiB", reserved="2.60 GiB")
    assert memory_fields(other)["oom"] == "other-process"


def test_process_limit() -> None:
    """A limit that the program set for itself is what counts as the device."""
    text = (
        "CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total capacity of 80.00 GiB of which 70.00 GiB is "
        "free. 4.00 GiB allowed; Of the allocated memory 2.00 GiB is allocated by PyTorch, and 1.00 MiB is reserved by "
        "PyTorch but unallocated."
    )
    assert memory_fields(text)["oom"] == "too-big"


CPU = "you tried to allocate 4096 bytes."


@pytest.mark.parametrize(
    ("text", "tried", "reading"),
    [
        ("CUDA out of memory. Tried to allocate more than 1EB memory.", 1 << 60, "too-big"),
        ("Unable to allocate 2.00 PiB for an array with shape (16777216, 16777216)", 2 << 50, "too-big"),
        ("Unable to allocate 1.25 GiB for an array with shape (1, 2)", 5 * GIB // 4, "unknown"),
        (f"[enforce fail at alloc_cpu.cpp:118] err == 0. CPUAllocator: can't allocate memory: {CPU}", 4096, "unknown"),
        (f"DefaultCPUAllocator: not enough memory: {CPU}", 4096, "unknown"),
        ("$ Torch: not enough memory: you tried to allocate 7GB. Buy new RAM!", 7 * GIB, "unknown"),
        (
            "MPS backend out of memory (MPS allocated: 8.00 GiB, other allocations: 1.00 GiB, max allowed: 9.07 GiB). "
            "Tried to allocate 100.00 MiB on private pool.",
            100 * MIB,
            "unknown",
        ),
    ],
)
def test_other_allocators(text: str, tried: int, reading: str) -> None:
    """The allocators of the CPU, of NumPy and of MPS tell what was asked for."""
    fields = memory_fields(text)
    assert (fields["tried"], fields["oom"]) == (str(tried), reading)


@pytest.mark.parametrize(
    "text",
    ["", "batch out of memory order", "512.00 MiB free", "set this to avoid running out of memory", "allocated 20 MiB"],
)
def test_no_memory_message(text: str) -> None:
    """A message that reports no failed allocation has no sizes."""
    assert memory_fields(text) == {}


def test_async_backend() -> None:
    """The table of the cudaMallocAsync backend is read."""
    fields = memory_fields(
        "Allocation on device 1 would exceed allowed memory. (out of memory)\n"
        "Currently allocated     : 20.00 GiB\nRequested               : 2.00 GiB\nDevice limit            : 24.00 GiB\n"
        "Free (according to CUDA): 1.00 GiB\nPyTorch limit (set by user-supplied memory fraction)\n"
        "                        : 17179869184.00 GiB"
    )
    sizes = [int(fields[name]) // GIB for name in ("allocated", "tried", "total", "free")]
    assert (sizes, fields["device"], fields["oom"]) == ([20, 2, 24, 1], "1", "full")


def make(kind: str, **fields: str) -> Event:
    return Event(kind=kind, fields=fields, span=Span(first=1, last=1), text="")


def test_enrich() -> None:
    """An exception gets the code of its CUDA status and the arithmetic of its memory, and keeps its own fields."""
    failed = make("exception", type="RuntimeError", message="CUDA error: device-side assert triggered")
    assert enrich(failed).fields == {**failed.fields, "code": "cudaErrorAssert"}
    memory = enrich(make("exception", type="E", message="CUDA out of memory. Tried to allocate 2.00 GiB."))
    assert (memory.fields["code"], memory.fields["tried"]) == ("cudaErrorMemoryAllocation", str(2 * GIB))
    hinted = make(
        "exception", type="AcceleratorError", message="x", hint="Search for `cudaErrorAssert' in https://docs"
    )
    assert enrich(hinted).fields["code"] == "cudaErrorAssert"
    host = enrich(make("exception", type="MemoryError", message="Unable to allocate 2.00 GiB for an array"))
    assert "code" not in host.fields


def test_nothing_to_enrich() -> None:
    """Events without a status or an allocation, and kinds that have a code of their own, stay as they are."""
    for event in (make("exception", type="ValueError", message="x"), make("warning", message="CUDA error: bad")):
        assert enrich(event) is event
