"""Errors of CUDA and its libraries outside of Python exceptions, and the codes that messages name."""

from __future__ import annotations

from pathlib import Path

import pytest

from errtriage.model import Event, Line, Span
from errtriage.patterns import cuda_error
from errtriage.patterns.cuda_error import cuda_code

CATALOGUE = Path(__file__).parent / "catalogue" / "cuda-errors.tsv"


def events(text: str) -> list[Event]:
    one = Line(span=Span(first=1, last=1), text=text)
    for pattern in cuda_error.PATTERNS:
        if any(literal in text for literal in pattern.literals):
            found = list(pattern.parse(one))
            if found:
                return found
    return []


def rows() -> list[dict[str, str]]:
    kept = [text.split("\t") for text in CATALOGUE.read_text("utf-8").splitlines() if not text.startswith("#")]
    return [dict(zip(kept[0], row, strict=True)) for row in kept[1:]]


def statuses(library: str) -> list[dict[str, str]]:
    no_error = ("SUCCESS", "Success", "NumResults", "cudaErrorApiFailureBase", "cudaErrorNotReady")
    return [row for row in rows() if row["library"] == library and not row["name"].endswith(no_error)]


def test_runtime_texts() -> None:
    """Each text of cudaGetErrorString gives its code, in the wordings of every torch version and of HIP."""
    twice = {"cudaErrorInvalidSource": "cudaErrorInvalidKernelImage"}  # the runtime has one text for both
    for row in statuses("cudart"):
        name = twice.get(row["name"], row["name"])
        for text in {row["text"], row["older_text"]} - {"-"}:
            for message in (
                f"CUDA error: {text}",
                f"CUDA error: {text}\nCUDA kernel errors might be asynchronously reported",
                f"cuda runtime error (59) : {text} at /pytorch/aten/src/THC/THCReduceAll.cuh:317",
                f"THCudaCheck FAIL file=/pytorch/x.cu line=3 error=59 : {text}",
                f"HIP error: {text}",
                f"CUDA driver error: {text}",
            ):
                assert cuda_code(message) == name, message


@pytest.mark.parametrize("library", ["cuda-driver", "cublas", "cudnn", "cusolver", "cufft", "curand"])
def test_named_statuses(library: str) -> None:
    """Libraries whose names torch prints are read by the name."""
    for row in statuses(library):
        printed = row["how_torch_prints_it"].replace("{}", "f(x)")
        message = printed if row["name"] in printed else f"CUDA error: {row['name']}"
        assert cuda_code(message) == row["name"], message


def test_sparse_texts() -> None:
    """CuSPARSE is told from CUDA by the call that failed, for they share texts."""
    for row in statuses("cusparse"):
        assert cuda_code(f"CUDA error: {row['text']} when calling `cusparseSpMM(h, x)`") == row["name"]


def test_nccl_texts() -> None:
    """Each NCCL text gives its code, in the wordings of c10d and of torch.cuda.nccl."""
    for row in statuses("nccl"):
        if row["text"] == "-":
            continue
        for message in (
            f"NCCL error in: /pytorch/torch/lib/c10d/ProcessGroupNCCL.cpp:911, {row['text']}, NCCL version 2.7.8",
            f"NCCL Error 2: {row['text']}",
            f"[Rank 1] raised the following async exception: NCCL error: {row['text']}, NCCL version 2.21.5",
        ):
            assert cuda_code(message) == row["name"], message


@pytest.mark.parametrize(
    "message",
    [
        "",
        "CUDNN_STATUS_SUCCESS",
        "device-side assert triggered",
        "no CUDA error was seen",
        "out of memory",
        "size mismatch, m1: [3 x 4], m2: [5 x 6] at /pytorch/aten/src/THC/generic/THCTensorMathBlas.cu:290",
    ],
)
def test_no_code(message: str) -> None:
    """A message that reports no status gives none."""
    assert cuda_code(message) is None


def test_thc_check() -> None:
    """The banner of THC's checks tells file, line and text."""
    (event,) = events("THCudaCheck FAIL file=/p/THCGeneral.cpp line=50 error=30 : unknown error")
    assert event.kind == "cuda_error"
    assert event.fields == {
        "file": "/p/THCGeneral.cpp",
        "line": "50",
        "message": "unknown error",
        "code": "cudaErrorUnknown",
    }


def test_glued_traceback() -> None:
    """A message that ends in the head of a traceback is cut there, and its call is told."""
    text = "CUDA error after cudaEventDestroy in future dtor: device-side assert triggered"
    (event,) = events(text + "Traceback (most recent call last):")
    assert event.fields["message"].endswith("device-side assert triggered")
    assert event.fields["api"] == "cudaEventDestroy"
    assert event.fields["code"] == "cudaErrorAssert"


def test_place_and_api() -> None:
    """The failed call and the place in C++ are told where the message holds them."""
    (event,) = events("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`")
    assert (event.fields["code"], event.fields["api"]) == ("CUBLAS_STATUS_ALLOC_FAILED", "cublasCreate")
    (event,) = events("cuda runtime error (2) : out of memory at /p/aten/src/THC/THCStorage.cu:58")
    assert (event.fields["file"], event.fields["line"]) == ("/p/aten/src/THC/THCStorage.cu", "58")


def test_hostile_lines() -> None:
    """Long lines of nearly matching text end soon and raise nothing."""
    for unit in (
        "CUDA error: ",
        "cudaError",
        "THCudaCheck FAIL file=",
        "NCCL error in: ",
        "CUDA error (1",
        "error in aaaa",
    ):
        text = unit * (16_384 // len(unit))
        assert isinstance(events(text), list)
        assert cuda_code(text) is None or cuda_code(text)
