"""Errors of CUDA, HIP and their libraries that are printed outside of a Python exception, and the codes they name."""

from __future__ import annotations

from itertools import islice

from errtriage import TYPE_CHECKING
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, compiled, event
from errtriage.patterns.cuda_codes import CUDA_TEXTS, CUSPARSE_TEXTS, NCCL_TEXTS

if TYPE_CHECKING:
    import re

# Names as the libraries' headers spell them. SUCCESS is no error; NVML and NPP are not used by the stack.
_NAME = (
    r"\b((?:cudaError|hipError)[A-Z]\w{2,60}|CUDA_ERROR_[A-Z_]{3,60}|CU(?:BLAS|SOLVER|SPARSE|DNN|RAND)_STATUS_\w{3,80}|"
    r"HIP(?:BLAS|SPARSE|SOLVER|FFT|RAND)_(?:STATUS_)?[A-Z]\w{3,60}|rocblas_status_\w{3,60}|miopenStatus[A-Z]\w{3,60}|"
    r"CUFFT_[A-Z_]{5,60}|NVRTC_ERROR_[A-Z_]{3,60}|"
    r"nccl(?:UnhandledCuda|System|Internal|InvalidArgument|InvalidUsage|Remote)(?:Error)?|ncclTimeout)\b"
)
_TRIED = 8  # places of a message that are looked at
_NO_ERROR = ("SUCCESS", "Success", "cudaErrorApiFailureBase", "cudaErrorNotReady")
# Each introduces one of the libraries' texts. `error=` and `cuda runtime error` are THC's checks, torch 1.0 to 1.9.
_NCCL_INTRO = r"NCCL [Ee]rror(?: in: [^,\n]{1,300},| \d+:|:) "
_CUDA_INTRO = (
    r"(?:CUDA|Cuda|\bcuda|HIP|CUDART)(?: driver| NVRTC| runtime| runtime API| kernel| call)? "
    r"(?:[Ee]rror|failed|failure|warning)(?: after \w+ in [\w ]{1,40}| ?\(\d+\)| \d+)? ?(?:: ?'?| ')(?=\w)"
    r"|(?:Cuda|CUDA) error in file .{1,300}? in line \d{1,6} ?: ?"
    r"|cuda\w{1,40}\(\) failed at [^:\n]{1,300}:\d{1,6} ?: ?"
    r"|cuda runtime error \(\d+\) ?: |GPUassert: |kernel launch error ?: |\berror in \w{3,60}: |\berror=\d+ ?: "
    r"|(?:cuDNN|cuFFT|cusolver) error: (?=\w)|(?:CUDA|Cuda) error\(\d+\), (?=\w)"
    # glog's CHECK on a CUDA call, as Caffe and Paddle write it
    r"|cudaSuccess(?: == \w{1,40})? \(\d+ vs\. \d+\) {1,3}(?:[Cc]uda [Ee]rror: )?(?=\w)"
)


def cuda_code(message: str) -> str | None:
    """Return the canonical name of the CUDA, HIP, cuBLAS, cuDNN, NCCL … status that a message reports, or None.

    A text that a library returns for a code (`device-side assert triggered`) gives the name of that code
    (`cudaErrorAssert`); HIP's texts are those of CUDA and give CUDA's names.
    """
    nccl = compiled(_NCCL_INTRO).search(message)
    if nccl is not None:
        return _by_text(NCCL_TEXTS, message[nccl.end() :]) or _by_name(message)
    for found in islice(compiled(_CUDA_INTRO).finditer(message), _TRIED):
        sparse = "when calling `cusparse" in message
        code = _by_text(CUSPARSE_TEXTS if sparse else CUDA_TEXTS, message[found.end() :])
        if code is not None:
            return code
    return _by_name(message)


def _by_text(texts: dict[str, str], text: str) -> str | None:
    start = text[:80].lower().lstrip(" '\"")
    fits = [known for known in texts if start.startswith(known)]
    return texts[max(fits, key=len)] if fits else None


def _by_name(message: str) -> str | None:
    for found in islice(compiled(_NAME).finditer(message), _TRIED):
        if not found[0].endswith(_NO_ERROR):
            return found[0]
    return None


_NEAR = 300  # characters: the text of a status stands right behind its introduction
_AT = r" at (?P<file>[^\s:]{1,300}|[A-Za-z]:[^:\n]{1,300}):(?P<line>\d+)"
_API = r"when calling `(\w+)|failed call to (\w+)|after (\w+) in |\b(cuda[A-Z]\w+)\("


def _api(text: str) -> str | None:
    found = compiled(_API).search(text[:2000])
    return next(filter(None, found.groups())) if found else None


def _make(line: Line, found: re.Match[str]) -> Event | None:
    rest = line.text[found.start() : found.start() + 2000]
    message = compiled(r"Traceback \(most recent|Exception raised from ").split(rest, maxsplit=1)[0].strip()
    code = cuda_code(message[:_NEAR])
    if code is None and compiled(r"(?:CUDA|HIP) error: \w+ \w").match(message) is None:
        return None
    place = compiled(_AT).search(message)
    fields = {
        "message": message,
        "code": code,
        "api": _api(line.text),
        "file": place["file"] if place else None,
        "line": place["line"] if place else None,
    }
    return event("cuda_error", line, fields, text=message)


def _make_thc(line: Line, found: re.Match[str]) -> Event:
    fields = {**found.groupdict(), "code": _by_text(CUDA_TEXTS, found["message"])}
    return event("cuda_error", line, fields, text=found[0].strip())


def _make_named(line: Line, found: re.Match[str]) -> Event | None:
    code = _by_name(found[0])
    if code is None:
        return None
    return event("cuda_error", line, {"message": line.text.strip()[:2000], "code": code, "api": _api(line.text)})


def _make_memory(line: Line, found: re.Match[str]) -> Event:
    message = line.text[found.start() :].strip()
    return event("cuda_error", line, {"message": message, "code": "cudaErrorMemoryAllocation"}, text=message)


THC_CHECK = LinePattern(
    kind="cuda_error",
    literals=("THCudaCheck FAIL",),
    regex=(
        r"THCudaCheck FAIL file=(?P<file>.{1,400}?) line=(?P<line>\d+) error=\d+ : "
        r"(?P<message>.{1,200}?)(?=\s*$|Traceback)"
    ),
    make=_make_thc,
    examples=(
        "THCudaCheck FAIL file=/pytorch/aten/src/THC/generic/THCTensorCopy.cpp line=70 error=59 : "
        "device-side assert triggered",
        "THCudaCheck FAIL file=C:\\w\\b\\aten/src/THC/THCGeneral.cpp line=50 error=30 : unknown error",
    ),
    ignore=("THCudaCheck(cudaGetLastError());",),
)

CUDA_ERROR = LinePattern(
    kind="cuda_error",
    literals=(
        "CUDA error", "Cuda error", "CUDA Error", "Cuda failure", "CUDA failure", "cuda runtime error",
        "CUDA driver error", "CUDA NVRTC error", "CUDA runtime error", "CUDA runtime API error", "CUDA kernel failed",
        "CUDA call failed", "CUDART error", "() failed at ", "HIP error", "GPUassert: ", "kernel launch error",
        "cuDNN error: ", "cuFFT error: ", "cusolver error: ", "no kernel image is available",
        "cuda error", "cudaSuccess (", "cudaSuccess == ",
    ),
    regex=_CUDA_INTRO,
    make=_make,
    examples=(
        "CUDA error after cudaEventDestroy in future dtor: device-side assert triggered",
        "CUDA error: an illegal memory access was encountered",
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "error in modulated_deformable_im2col_cuda: no kernel image is available for execution on the device",
        "GPUassert: an illegal memory access was encountered kernel.cu 41",
        "HIP error: invalid device function",
        "cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
        "cudaCheckError() failed at kernel.cu:12 : invalid device function",
        "Cuda error in file '/app/x.cu' in line 45 : an illegal memory access was encountered.",
        "(External) CUDA error(719), unspecified launch failure.",
        "Check failed: error == cudaSuccess (74 vs. 0)  misaligned address",
        "cuda error:unspecified launch failure",
    ),
    ignore=(
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
        "checking CUDA error handling",
        "CUDA errors: 0",
    ),
)  # fmt: skip

CUDA_NAME = LinePattern(
    kind="cuda_error",
    literals=("CUDA_ERROR_", "cudaError", "hipError", "_STATUS_", "rocblas_status_", "miopenStatus", "NVRTC_ERROR_"),
    regex=rf"(?<![`$\w]){_NAME}(?!\w|`? in https|=)",
    make=_make_named,
    examples=(
        "E stream_executor/cuda/cuda_driver.cc:271] failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error",
        "CUDA error at sample.cu:77 code=700(cudaErrorIllegalAddress)",
        "failed to create cublas handle: CUBLAS_STATUS_NOT_INITIALIZED",
    ),
    ignore=(
        "CUBLAS_STATUS_SUCCESS",
        "status == miopenStatusSuccess (7 vs. 0)",
        "export CUDA_ERROR_LEVEL=50",
        "    if err != cudaErrorNotReady:",
    ),
)

OUT_OF_MEMORY = LinePattern(
    kind="cuda_error",
    literals=("out of memory. Tried to allocate", "out of memory (MPS allocated"),
    regex=r"(?:CUDA|HIP|XPU|MPS backend) out of memory",
    make=_make_memory,
    examples=("CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity; 5.9 GiB already used)",),
    ignore=("set max_split_size_mb if you run out of memory. Tried to help",),
)


def _make_rocm(line: Line, found: re.Match[str]) -> Event:
    message = line.text[found.start() :].strip()[:1000]
    return event(
        "cuda_error", line, {"message": message, "code": found["code"] or "cudaErrorIllegalAddress"}, text=message
    )


# ROCm has no device assertions by default: the runtime stops the process with its own words.
ROCM = LinePattern(
    kind="cuda_error",
    literals=("HSA_STATUS_ERROR", "Memory access fault by GPU"),
    regex=r"(?:error : (?P<code>HSA_STATUS_ERROR\w{0,60})|Memory access fault by GPU node-\d{1,3} )",
    make=_make_rocm,
    examples=(
        ":0:rocdevice.cpp :2614: 1 us: Callback: Queue 0x7f Aborting with error : HSA_STATUS_ERROR_EXCEPTION: An HSAIL "
        "operation resulted in a hardware exception. code: 0x1016",
        "Memory access fault by GPU node-1 (Agent handle: 0x55) on address 0x7f. Reason: Page not present.",
    ),
    ignore=("HSA_STATUS_ERROR is documented here",),
)

PATTERNS = (THC_CHECK, OUT_OF_MEMORY, CUDA_ERROR, ROCM, CUDA_NAME)
