"""Warnings of Python: place, category, message of several lines, source line, and what stands before and after."""

import pytest

from errtriage.model import Event
from errtriage.patterns import python_traceback, python_warning
from events_of import events_of


def _read(text: str) -> list[Event]:
    return events_of((*python_traceback.PATTERNS, *python_warning.PATTERNS), text)


@pytest.mark.parametrize(
    ("text", "file", "line", "code"),
    [
        ("make.py:58: RuntimeWarning: look\n  y = f(x)", "make.py", "58", "y = f(x)"),
        ("xxx.py:xxx: RuntimeWarning: look", "xxx.py", "xxx", None),
        ("<stdin>:1: RuntimeWarning: look", "<stdin>", "1", None),
        ("sys:1: RuntimeWarning: look", "sys", "1", None),
        ("<ipython-input-9-c1b6>:4: RuntimeWarning: look\n  z = 1", "<ipython-input-9-c1b6>", "4", "z = 1"),
        ("WARNING:py.warnings:/app/a.py:3: RuntimeWarning: look\n  f(x)", "/app/a.py", "3", "f(x)"),
        ("D:buildpreprep.py:41: RuntimeWarning: look", "D:buildpreprep.py", "41", None),
        ("C:\\Program Files\\x\\y.py:3: RuntimeWarning: look", "C:\\Program Files\\x\\y.py", "3", None),
        ("~\\docs\\y.py:3: RuntimeWarning: look", "~\\docs\\y.py", "3", None),
        ("  4%|▍  | 4/99 [00:16<00:36, 95.01it/s]/app/env.py:118: RuntimeWarning: look", "/app/env.py", "118", None),
        ("In [7]: C:\\rl\\env.py:118: RuntimeWarning: look", "C:\\rl\\env.py", "118", None),
        ("      /app/setup.py:43: RuntimeWarning: look\n        warn('look')", "/app/setup.py", "43", "warn('look')"),
        ("a.py:5: RuntimeWarning: look\n  0%|     | 0/32 [00:00<?, ?it/s]", "a.py", "5", None),
        ("a.py:5: RuntimeWarning: look\nEpoch 3/5\n  val loss 0.5", "a.py", "5", None),
        ("<string>:1: RuntimeWarning: look\n  val loss 0.5", "<string>", "1", None),
    ],
)  # fmt: skip
def test_place(text, file, line, code):
    """The place of a warning is found behind and before other text, and only code counts as its source line."""
    (event,) = _read(text)
    assert (event.fields["file"], event.fields["line"], event.fields.get("code")) == (file, line, code)
    assert (event.fields["category"], event.fields["message"]) == ("RuntimeWarning", "look")
    assert (event.frames[0].file, event.frames[0].code) == (file, code)


def test_place_inside_torch_is_split_off():
    """`Triggered internally` goes to its own field, also behind a message of three lines."""
    (event,) = _read(
        "/site-packages/torch/autograd/graph.py:825: UserWarning: Grad strides do not match.\n"
        "grad.sizes() = [96, 1, 7, 7]\nbucket_view.sizes() = [96, 1, 7, 7] "
        "(Triggered internally at ../reducer.cpp:327.)\n"
        "  return Variable._execution_engine.run_backward(\nepoch 1"
    )
    assert event.fields["message"] == (
        "Grad strides do not match.\ngrad.sizes() = [96, 1, 7, 7]\nbucket_view.sizes() = [96, 1, 7, 7]"
    )
    assert event.fields["internal"] == "../reducer.cpp:327."
    assert event.span.last == 4


def test_message_that_begins_on_the_next_line():
    """A message whose first line is empty goes on to the source line, over an empty line."""
    (event,) = _read(
        "/site-packages/torch/cuda/__init__.py:145: UserWarning: \nNVIDIA RTX A6000 with sm_86 is not compatible.\n"
        "Please check the instructions.\n\n  warnings.warn(text)\nnext"
    )
    assert event.fields["message"].startswith("NVIDIA RTX A6000")
    assert event.fields["code"] == "warnings.warn(text)"


_FORWARD = '  File "/app/an.py", line 5, in f\n    y = torch.sqrt(x)\n'


@pytest.mark.parametrize(
    "text",
    [
        "/site-packages/torch/autograd/graph.py:979: UserWarning: Error detected in SqrtBackward0. Traceback of "
        f"forward call that caused the error:\n{_FORWARD} (Triggered internally at an.cpp:122.)\n  return run(\n",
        "[W python_anomaly_mode.cpp:104] Warning: Error detected in SqrtBackward0. Traceback of forward call that "
        f"caused the error:\n{_FORWARD} (function _print_stack)\n",
        f"sys:1: RuntimeWarning: Traceback of forward call that caused the error:\n{_FORWARD}\n",
    ],
    ids=["UserWarning", "c10 logger", "torch 1.0"],
)
def test_anomaly_mode(text):
    """The forward call that anomaly mode prints is the place of its warning, and explains the exception after it."""
    warning, exception = _read(
        f'{text}Traceback (most recent call last):\n  File "/app/an.py", line 9, in <module>\n    loss.backward()\n'
        "RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output."
    )
    assert (warning.kind, warning.frames[-1].code) == ("warning", "y = torch.sqrt(x)")
    assert exception.frames[-1] == warning.frames[-1]
    assert exception.frames[0].code == "loss.backward()"
