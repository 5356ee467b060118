"""Messages of exceptions: which lines belong to them, and where they end."""

import pytest

from errtriage.model import Event
from errtriage.patterns import python_exception, python_traceback
from events_of import events_of

_HEAD = 'Traceback (most recent call last):\n  File "/app/t.py", line 20, in <module>\n    main()\n'


def _read(text: str) -> Event:
    return events_of((*python_traceback.PATTERNS, *python_exception.PATTERNS), text)[0]


@pytest.mark.parametrize("head", ["", _HEAD], ids=["bare", "traceback"])
@pytest.mark.parametrize(
    "message",
    [
        pytest.param("one line", id="one line"),
        pytest.param(
            'Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "a".\n'
            "\tsize mismatch for b: copying a param with shape torch.Size([2]) from checkpoint",
            id="state_dict",
        ),
        pytest.param(
            "Expected to have finished reduction in the prior iteration, and by\n"
            "making sure all `forward` function outputs participate in calculating loss.\n"
            "If you already have done the above, then include the loss function.\n"
            "Parameter indices which did not receive grad for rank 1: 147 148",
            id="DDP",
        ),
        pytest.param("2 validation errors for Config\nlr\n  Not a number\nepochs\n  Field required", id="pydantic"),
        pytest.param(
            "NCCL error in: nccl.cpp:1275, unhandled system error, NCCL version 2.14.3\n"
            "ncclSystemError: System call failed.\nLast error:\nsocketStartConnect: Connect to 172.17.0.1 failed",
            id="NCCL",
        ),
        pytest.param(
            "found invalid values:\ntensor([[nan, nan],\n        [nan, nan]], device='cuda:0')", id="tensor"
        ),
    ],
)  # fmt: skip
def test_message_of_several_lines(head, message):
    """All lines of a known message are kept, and what a logger says next is not."""
    event = _read(f"{head}RuntimeError: {message}\n2024-01-01 10:00:00,123 INFO going on\n")
    assert event.fields["message"] == message


@pytest.mark.parametrize(
    "after",
    [
        "Epoch 2/10",
        "step 10 loss 0.31",
        "  0%|          | 0/1810 [01:12<?, ?it/s]",
        "user@host:~/x$ nvidia-smi",
        "W0410 07:53:21.207000 1411 torch/distributed/run.py:897] Sending process 1 closing signal SIGTERM",
        "srun: error: cn042: task 0: Exited with exit code 1",
        "[rank0]:[W410 07:53:19 ProcessGroupNCCL.cpp:1496] Warning: destroy_process_group() was not called",
        "==========================================",
        "Killed",
        "/app/t.py:3: UserWarning: If this is old",
        "Retrying in 5 s",
        "Aborted (core dumped)",
        "In [12]: ",
    ],
)
def test_message_ends_before(after):
    """A message ends where a record, a bar, a prompt or a launcher's word begins."""
    event = _read(f"{_HEAD}RuntimeError: boom:\n{after}\n")
    assert event.fields["message"] == "boom:"
    assert event.span.last == 4


def test_hints_of_cuda_errors_are_no_message():
    """The advice that every CUDA error prints goes to its own field."""
    event = _read(
        f"{_HEAD}RuntimeError: CUDA error: device-side assert triggered\n"
        "CUDA kernel errors might be asynchronously reported at some other API call.\n"
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1\n"
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n\nEpoch 3"
    )
    assert event.fields["message"] == "CUDA error: device-side assert triggered"
    assert event.fields["hint"].count("\n") == 2


def test_native_frames_are_no_message():
    """The frames of C++ that old torch prints under a message are left out, text behind them is not."""
    event = _read(
        f"{_HEAD}RuntimeError: store->get('0') got error: Socket Timeout\n"
        "Exception raised from recvBytes at Utils.hpp:604 (most recent call first):\n"
        "frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x57 (0x7f in libc10.so)\n"
        "frame #1: c10d::TCPStore::get() + 0x1 (0x7f in libtorch.so)\n"
        ". This may indicate a crash on rank 0.\nWARNING:root:bye"
    )
    assert event.fields["message"] == (
        "store->get('0') got error: Socket Timeout\n. This may indicate a crash on rank 0."
    )


def test_user_code_of_a_compiler_error_becomes_frames():
    """The frames that torch.compile quotes from the user's code are the innermost frames of its exception."""
    event = _read(
        f"{_HEAD}torch._dynamo.exc.Unsupported: Tensor.item\n\nfrom user code:\n"
        '   File "/app/tagger.py", line 23, in forward\n    return self.head(x)\n\n'
        'Set TORCH_LOGS="+dynamo" and TORCHDYNAMO_VERBOSE=1 for more information\n'
    )
    assert event.fields["message"] == "Tensor.item"
    assert (event.frames[-1].file, event.frames[-1].line) == ("/app/tagger.py", 23)
    assert event.frames[-1].code == "return self.head(x)"


def test_advice_before_the_users_stack_does_not_end_the_message():
    """The stack that torch.compile appends gives the innermost frame, whatever advice stands before it."""
    event = _read(
        f"{_HEAD}torch._dynamo.exc.UserError: Could not guard on data-dependent expression zuf0 > 0.5\n\n"
        "consider using data-dependent friendly APIs such as guard_or_false.\nCaused by: if p.item() > 0.5:\n\n"
        "User Stack (most recent call last):\n  (snipped, see stack below for prefix)\n"
        '  File "/app/router.py", line 11, in forward\n    if p.item() > 0.5:\n\nfrom user code:\n'
        '   File "/app/router.py", line 11, in forward\n    if p.item() > 0.5:\n       ^^^^^^^^\n'
    )
    assert (event.frames[-1].file, event.frames[-1].line) == ("/app/router.py", 11)


def test_message_is_bounded():
    """An endless message is cut, and the rest of it is no other exception."""
    event = _read(f"{_HEAD}RuntimeError: \n" + "\n".join(f"  row {n}" for n in range(500)))
    assert 40 <= event.fields["message"].count("\n") <= 60


@pytest.mark.parametrize(
    ("line", "type_", "module"),
    [
        ("IndexError: Target 3 is out of bounds.", "IndexError", None),
        ("torch.OutOfMemoryError: CUDA out of memory.", "OutOfMemoryError", "torch"),
        ("_pickle.UnpicklingError: invalid load key, 'v'.", "UnpicklingError", "_pickle"),
        ("KeyboardInterrupt", "KeyboardInterrupt", None),
    ],
)
def test_bare_exception(line, type_, module):
    """A line that states an exception is one without a traceback."""
    event = _read(line)
    assert (event.fields["type"], event.fields.get("module"), event.fields["origin"]) == (type_, module, "line")


@pytest.mark.parametrize(
    "line",
    [
        "Error: nothing",
        "    except ValueError as e:",
        "loss Error: 0.3",
        "DeprecationWarning: old",
        "# RuntimeError: x",
    ],
)
def test_no_exception(line):
    """Code and words that only look like an exception are none."""
    assert events_of(python_exception.PATTERNS, line) == []
