"""Plausible values for the holes of catalogued message templates."""

from __future__ import annotations

import re

_WHOLE = (  # templates whose holes are told apart by the whole text: how they start, and how a program printed them
    ("shape '{}' is invalid", "shape '[4, 100]' is invalid for input of size 384"),
    ("unable to write to file <{}>; error", "unable to write to file </torch_24351_1>; error code: <28>"),
    ("unable to write to file <{}>:", "unable to write to file </torch_24351_1>: No space left on device (28)"),
    (
        "unable to open shared memory object <{}>",
        "unable to open shared memory object </torch_24351_1> in read-write mode: Too many open files (24)",
    ),
    ("cuDNN error: {}", "cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"),
    (
        "Given normalized_shape={}, expected input with shape [*",
        "Given normalized_shape=[10], expected input with shape [*, 10], but got input of size[2, 3]",
    ),
    ("cublas runtime error : {}", "cublas runtime error : resource allocation failed at /app/THCBlas.cu:57"),
    ("cuda runtime error ({}) : {}", "cuda runtime error (4) : unspecified launch failure at /app/THCTensorCopy.cu:57"),
    (
        "NCCL error in: {}:{}, {}, NCCL version {}",
        "NCCL error in: /app/ProcessGroupNCCL.cpp:1970, unhandled system error, NCCL version 2.18.1\n"
        "ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.\n"
        "Last error:\nsocketStartConnect: Connect to 10.0.0.2<43210> failed : Connection refused",
    ),
    (
        "[Rank {}] Watchdog caught collective operation timeout",
        "[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE, NumelIn=1, "
        "NumelOut=1, Timeout(ms)=600000) ran for 600029 milliseconds before timing out.",
    ),
    (
        "{}Watchdog caught collective operation timeout",
        "[PG ID 0 PG GUID 0(default_pg) Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, "
        "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600029 milliseconds before timing out.",
    ),
    (
        "Detected mismatch between collectives on ranks. Rank {}",
        "Detected mismatch between collectives on ranks. Rank 1 is running collective: CollectiveFingerPrint("
        "SequenceNumber=3, OpType=ALLREDUCE, TensorShape=[2], TensorDtypes=Float, TensorDeviceTypes=TensorOptions("
        "dtype=float (default), device=cpu)), but Rank 0 is running collective: "
        "CollectiveFingerPrint(SequenceNumber=3, "
        "OpType=BROADCAST, TensorShape=[2], TensorDtypes=Float, TensorDeviceTypes=TensorOptions(dtype=float (default), "
        "device=cpu)).Collectives differ in the following aspects: \t Op type: ALLREDUCEvs BROADCAST",
    ),
    (
        "The server socket has failed to listen on any local network address. useIpv6",
        "The server socket has failed to listen on any local network address. useIpv6: 0, code: -98, name: EADDRINUSE, "
        "message: address already in use",
    ),
    (
        "The server socket has failed to listen on any local network address. port",
        "The server socket has failed to listen on any local network address. port: 29500, useIpv6: 0, code: -98, "
        "name: EADDRINUSE, message: address already in use",
    ),
    (
        "Can't pickle {}: attribute lookup",
        "Can't pickle <function main.<locals>.<lambda> at 0x7f3c>: attribute lookup main.<locals>.<lambda> on __main__ "
        "failed",
    ),
    (
        "Failed running {} {}(",
        "Failed running call_function <built-in function add>(*(FakeTensor(..., size=(2, 3)), FakeTensor(..., "
        "size=(4,))), "
        "**{}):\nThe size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1)",
    ),
    (
        "{} with CUDA capability sm_{}",
        "NVIDIA H100 with CUDA capability sm_90 is not compatible with the current PyTorch installation.\n"
        "The current PyTorch install supports CUDA capabilities sm_37 sm_50 sm_60 sm_70.\nIf you want to use "
        "the NVIDIA "
        "H100 GPU with PyTorch, please check the instructions at https://pytorch.org/get-started/locally/",
    ),
    (
        "Expected value argument ({}",
        "Expected value argument (Tensor of shape (3,)) to be within the support (Boolean()) of the distribution "
        "Bernoulli(logits: torch.Size([3])), but found invalid values:\ntensor([0., 2., 1.])",
    ),
    (
        "Expected parameter {}",
        "Expected parameter loc (Tensor of shape (3,)) of distribution Normal(loc: torch.Size([3]), scale: "
        "torch.Size([3])) "
        "to satisfy the constraint Real(), but found invalid values:\ntensor([nan, nan, nan])",
    ),
    (
        "Attempting to deserialize object on CUDA device {}",
        "Attempting to deserialize object on CUDA device 1 but torch.cuda.device_count() is 1. Please use "
        "torch.load with "
        "map_location to map your storages to an existing device.",
    ),
)
_PLAIN = {
    "pid": "24351", "n": "3", "line": "57", "lineno": "57", "script": "train.sh", "command": "python train.py",
    "service": "trainer", "target": "train", "file": "/app/csrc/ops.cu", "path": "/app/data/list.txt", "hex": "0x1f",
    "op": "MulBackward0", "name": "fc1.weight", "dtype": "Half", "device": "cuda:0", "kind": "overflow",
    "cudaGetErrorString": "unspecified launch failure", "cuGetErrorString": "invalid argument",
    "cusparseGetErrorString": "execution failed", "ncclGetErrorString": "unhandled system error",
    "nvrtcGetErrorString": "NVRTC_ERROR_COMPILATION", "CUBLAS_STATUS": "CUBLAS_STATUS_EXECUTION_FAILED",
    "CUDNN_STATUS": "CUDNN_STATUS_EXECUTION_FAILED", "CUSOLVER_STATUS": "CUSOLVER_STATUS_EXECUTION_FAILED",
    "CUFFT name": "CUFFT_INTERNAL_ERROR", "call": "cublasCreate(handle)", "x.y.z": "2.18.1",
    "lower": "0", "index expr": "tmp4", "upper": "10L",
}  # fmt: skip
_BEFORE = tuple(  # what stands before a hole tells what it holds
    (re.compile(pattern), value)
    for pattern, value in (
        (r"JOB $", "884213"), (r"\*\*\* $", "STEP 884213.0"), (r"(?:The node|the rendezvous) $", "'node07_24351_0'"),
        (r"oom_reaper: reaped process $", "24351"), (r"EDAC MC$", "0"),
        (r"an error of type $", "RendezvousConnectionError"), (r"(?:STEP |StepId=)$", "884213.0"),
        (r" ON $|srun: error: $", "node07"),
        (r"CANCELLED AT $", "2026-11-30T18:21:44"), (r"task $", "0"), (r"Signals\.$", "SIGKILL"), (r"SIGKILL: $", "9"),
        (r"by signal: $", "Killed"), (r"(?:closing|got|with) signal:? $|Received $| via $", "SIGTERM"),
        (r"(?:exit code|exitcode|exit status)[: ]*$", "1"), (r"PCI:$", "0000:3b:00"), (r"(?i)\bpid:? $", "24351"),
        (r"(?:dimension|dim|index|with size|input of size|[Ee]xpected size|got size|argument #) $", "3"),
        (r"(?i)(?:shapes?|sizes?|stride)[ :=]*$|torch\.Size\($", "[2, 3]"),
        (r"(?i)(?:dtype|scalar type|type)[ :=]*$", "Float"), (r"(?i)devices?[ :=]*$|\bon $", "cuda:0"),
        (r"(?i)(?:file|path|named|module|key)[ :=]*['\"`]?$", "fc1"), (r"['\"`]$", "fc1"), (r"0x$", "1f"),
        (r"(?i)(?:allocate|capacity of|which) $", "2.00 GiB"),
    )
)  # fmt: skip
_HOLE = re.compile(r"\{([^{}]{0,60})\}")


def filled(template: str) -> str:
    """Return a template with plausible values in its holes, and its escapes of newline and tab resolved."""
    for start, text in _WHOLE:
        if template.startswith(start):
            return text

    def value(found: re.Match[str]) -> str:
        if found[1] in _PLAIN:
            return _PLAIN[found[1]]
        before = template[max(0, found.start() - 24) : found.start()]
        known = next((value for pattern, value in _BEFORE if pattern.search(before)), None)
        return known or ("3" if not found[1] else found[1].split(",")[0].split("|")[0].strip() or "3")

    return _HOLE.sub(value, template).replace("\\n", "\n").replace("\\t", "\t")
