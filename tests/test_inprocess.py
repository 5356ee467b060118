"""`errtriage.install()`: the failure is explained after its own traceback, and nothing else changes."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import pytest

from errtriage import inprocess
from errtriage.inprocess.readings import read
from errtriage.inprocess.values import Value, values_of
from errtriage.knowledge import load_knowledge

INSTALLED = "import errtriage; errtriage.install()\n"
FAULT = "IndexError('Target 3 is out of bounds.')"


def program(code: str, *, installed: bool = True) -> subprocess.CompletedProcess[bytes]:
    """Run a program that has installed errtriage, and return what came of it."""
    text = (INSTALLED if installed else "") + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", text], capture_output=True, timeout=60, check=False)


def test_the_traceback_comes_first_and_unchanged() -> None:
    """Standard error starts with what it would have held anyway, the report follows, the exit code is the same."""
    plain, explained = program("\n" + f"raise {FAULT}", installed=False), program(f"raise {FAULT}")
    assert explained.stderr.startswith(plain.stderr)
    assert explained.stderr[len(plain.stderr) :].startswith(b"\nerrtriage report: failed")
    assert b"target-out-of-range" in explained.stderr
    assert (explained.returncode, explained.stdout) == (plain.returncode, b"") == (1, b"")


@pytest.mark.parametrize("code", ["pass", "raise SystemExit(3)", "raise KeyboardInterrupt", "import os; os._exit(4)"])
def test_other_ends_are_left_alone(code: str) -> None:
    """A good end, an exit and a Ctrl-C are what they were."""
    plain, explained = program("\n" + code, installed=False), program(code)
    assert (explained.returncode, explained.stdout, explained.stderr) == (plain.returncode, plain.stdout, plain.stderr)


def test_nothing_is_imported_before_a_failure() -> None:
    """Installing loads none of the engine, and neither torch, NumPy nor IPython."""
    done = program("import sys; print([name for name in sys.modules if 'errtriage' in name], 'asyncio' in sys.modules)")
    assert done.stdout == b"['errtriage', 'errtriage.inprocess'] False\n"


def test_a_hook_that_was_there_is_kept() -> None:
    """The person's own excepthook runs, first and once."""
    code = f"""
    import sys
    import errtriage.inprocess
    sys.excepthook = lambda *a: print("mine", file=sys.stderr)
    errtriage.inprocess._installed = False
    errtriage.install(); errtriage.install()
    raise {FAULT}
    """
    done = program(code)
    assert done.stderr.startswith(b"mine\n")
    assert done.stderr.count(b"mine\n") == 1


def test_threads_and_tasks_are_explained() -> None:
    """An exception in a thread, and one of a task that nobody waits for, are explained after they were printed."""
    thread = f"""
    import threading
    def work(): raise {FAULT}
    one = threading.Thread(target=work); one.start(); one.join(); print("goes on")
    """
    task = f"""
    import asyncio
    async def work(): raise {FAULT}
    async def main():
        one = asyncio.create_task(work()); await asyncio.sleep(0.01); del one
        await asyncio.sleep(0.3); print("goes on")
    asyncio.run(main())
    """
    for code in (thread, task):
        done = program(code)
        assert done.stderr.index(b"Traceback") < done.stderr.index(b"errtriage report: failed")
        assert b"target-out-of-range" in done.stderr
        assert done.stdout == b"goes on\n"


def test_what_fails_again_and_again_is_explained_once() -> None:
    """A hundred threads that fail at the same line make one report, and many places make five."""
    same = f"""
    import threading
    def work(): raise {FAULT}
    for _ in range(100):
        one = threading.Thread(target=work); one.start(); one.join()
    """
    many = f"""
    import threading
    for number in range(20):
        space = {{}}
        exec("\\n" * number + "def work(): raise {FAULT}", space)
        one = threading.Thread(target=space["work"]); one.start(); one.join()
    """
    assert program(same).stderr.count(b"errtriage report: ") == 1
    assert program(many).stderr.count(b"errtriage report: ") == 5


@pytest.mark.parametrize(
    "breaking",
    [
        "sys.modules['errtriage.inprocess.report'] = None",
        "sys.stderr.close()",
        "sys.stderr = None",
        "import errtriage.inprocess.report as r; r.told = lambda *a: 1 / 0",
        "import errtriage.inprocess.report as r; r.told = lambda *a: (_ for _ in ()).throw(KeyboardInterrupt)",
        "import errtriage.inprocess.report as r; r.values_of = lambda *a: 1 / 0",
    ],
)
def test_our_own_failure_is_kept_quiet(breaking: str) -> None:
    """Whatever breaks in the explanation, the program ends as it would have."""
    done = program(f"import sys\n{breaking}\nraise {FAULT}")
    assert done.returncode == 1
    assert b"ZeroDivisionError" not in done.stderr
    assert b"KeyboardInterrupt" not in done.stderr


def test_an_exception_whose_text_fails_is_survived() -> None:
    """An exception that can not be printed, and locals that can not be, harm nothing."""
    done = program(
        """
        class Bad(Exception):
            def __str__(self): raise RuntimeError("no text")
            __repr__ = __str__
        class Trap:
            def __getattribute__(self, name): print("touched", name); raise RuntimeError
            def __repr__(self): print("touched repr"); raise RuntimeError
        def work():
            trap = Trap()
            raise Bad
        work()
        """
    )
    assert done.returncode == 1
    assert b"touched" not in done.stdout


def test_secrets_are_not_repeated() -> None:
    """A key in a line of the traceback is not in the report."""
    code = (
        'import json; json.loads("{", cls=dict(api_key="sk-proj-abcdefghij1234567890abcdefghij")["api_key"] and None)'
    )
    done = program(code)
    report = done.stderr[done.stderr.find(b"errtriage report") :]
    assert b"errtriage report" in report
    assert b"abcdefghij1234567890" not in report


class FakeShell:
    """The part of IPython's shell that is used."""

    custom_exceptions: tuple[type[BaseException], ...] = ()
    CustomTB: Any = None

    def __init__(self) -> None:
        self.shown: list[str] = []

    def showtraceback(self, _exc: object, tb_offset: int | None = None) -> None:
        """Note it."""
        self.shown.append(f"original {tb_offset}")

    def set_custom_exc(self, kinds: tuple[type[BaseException], ...], handler: Any) -> None:
        """Take a handler."""
        self.custom_exceptions, self.CustomTB = kinds, handler


def test_a_notebook_shows_the_original_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cell's own traceback is shown, then the explanation; a handler that was set before takes its place."""
    shell = FakeShell()
    monkeypatch.setattr(inprocess, "explain", lambda error, _tb, **_k: shell.shown.append(f"explained {error}"))
    inprocess.load_ipython_extension(shell)
    error = ValueError("no")
    shell.CustomTB(shell, ValueError, error, None, tb_offset=1)
    assert shell.shown == ["original 1", "explained no"]
    mine = FakeShell()
    mine.set_custom_exc((ValueError,), lambda *_a, **_k: mine.shown.append("mine"))
    inprocess.load_ipython_extension(mine)
    monkeypatch.setattr(inprocess, "explain", lambda error, _tb, **_k: mine.shown.append(f"explained {error}"))
    mine.CustomTB(mine, ValueError, error, None)
    assert mine.shown == ["mine", "explained no"]


def tensor(name: str, dtype: str, shape: tuple[int, ...], low: float | None = None, high: float | None = None, **more):
    place = {"file": "train.py", "line": 3, "function": "step"}
    return Value(name=name, kind="tensor", dtype=dtype, shape=shape, low=low, high=high, **{**place, **more})


def sentences(values: list[Value], *tags: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.text, one.causes) for one in read(values, frozenset(tags))]


@pytest.mark.parametrize(
    ("low", "high", "text", "cause"),
    [
        (1, 3, "y.max() is 3, and logits has 3 classes (0 to 2).", "labels-start-at-one"),
        (0, 7, "y.max() is 7, and logits has 3 classes (0 to 2).", "head-too-small"),
        (0, 255, "y.max() is 255, and logits has 3 classes (0 to 2).", "ignore-value-left"),
        (-1, 2, "y.min() is -1, and logits has 3 classes (0 to 2).", "ignore-value-left"),
    ],
)
def test_labels_are_compared_with_classes(low: int, high: int, text: str, cause: str) -> None:
    """Labels outside of the classes are told, and speak for one of the causes."""
    values = [tensor("logits", "float32", (8, 3), -1.0, 1.0), tensor("y", "int64", (8,), low, high)]
    assert sentences(values, "labels") == [(text, (cause,))]
    assert cause in {one.id for one in load_knowledge().entry("target-out-of-range").causes}


def test_labels_on_a_failed_device_are_told_what_they_must_be() -> None:
    """Where the labels can not be read any more the shapes still tell their bounds."""
    values = [tensor("logits", "float32", (8, 3, 64, 64)), tensor("mask", "int64", (8, 64, 64), roles=("target",))]
    assert sentences(values, "device-assert") == [("logits has 3 classes, so mask must be 0 to 2.", ())]


@pytest.mark.parametrize(
    "values",
    [
        [tensor("logits", "float32", (8, 3)), tensor("y", "int64", (8,), 0, 2)],
        [tensor("logits", "float32", (8, 3)), tensor("y", "float32", (8,), 0.0, 5.0)],
        [tensor("logits", "float32", (9, 3)), tensor("y", "int64", (8,), 0, 5)],
        [tensor("steps", "int64", (8,), 0, 5), tensor("logits", "float32", (8, 3))],
    ],
)
def test_labels_that_fit_or_are_none_say_nothing(values: list[Value]) -> None:
    """Good labels, other shapes and other whole numbers make no sentence."""
    assert sentences(values, "labels") == []


def test_ids_are_compared_with_the_rows_of_an_embedding() -> None:
    """The ids that an embedding was given, by the name that the user's code has for them."""
    values = [
        tensor("ids", "int64", (2, 9), 1, 12, roles=("input",)),
        tensor("weight", "float32", (10, 4), function="embedding", user=False),
    ]
    assert sentences(values, "indexing") == [("ids.max() is 12, and weight has 10 rows.", ())]
    assert sentences(values[:1], "indexing") == []


def test_what_must_be_a_probability_is_measured() -> None:
    """BCE wants its input in [0, 1]; BCE with logits does not."""
    out = tensor("out", "float32", (8,), -2.0, 3.0, roles=("input",))
    assert sentences([out, tensor("w", "float32", (1,), function="binary_cross_entropy")], "loss") == [
        ("out goes from -2 to 3, not from 0 to 1.", ())
    ]
    assert sentences([out, tensor("w", "float32", (1,), function="binary_cross_entropy_with_logits")], "loss") == []


def test_shapes_types_and_devices_are_listed_where_they_matter() -> None:
    """The innermost place with two tensors is listed, for the tags that ask for it."""
    values = [
        tensor("a", "float32", (3, 4), device="cpu"),
        tensor("b", "float64", (5, 2), device="cuda:0"),
        tensor("c", "float32", (1,), device="cpu", line=99),
    ]
    assert sentences(values, "shapes") == [("a (3, 4), b (5, 2).", ())]
    assert sentences(values, "device") == [("a on cpu, b on cuda:0.", ())]
    assert sentences(values, "dtype") == [("a float32, b float64.", ())]
    assert sentences(values, "files") == []


def test_nan_and_infinity_are_counted() -> None:
    """What is not finite is told with its count."""
    assert sentences([tensor("x", "float32", (9,), 0.0, 1.0, nans=2, infinities=1)], "nonfinite") == [
        ("x holds 2 NaN and 1 inf.", ())
    ]


def test_numbers_are_told_and_secrets_are_not() -> None:
    """Plain numbers of the failing frame are seen, except under names of secrets; nothing else is."""

    def fails() -> None:
        num_classes, lr, api_key, name = 3, 0.5, 1234, "text"
        raise ValueError(str(num_classes + lr + api_key) + name)

    try:
        fails()
    except ValueError as error:
        values = values_of(error, error.__traceback__)
    told = {one.name: one.low for one in values}
    assert (told["num_classes"], told["lr"]) == (3, 0.5)
    assert "api_key" not in told
    assert "name" not in told


def test_lines_of_values_read_well() -> None:
    """Type, shape, device, range and what is not finite, in one line."""
    value = tensor("x", "float32", (8,), 0.5, 2.0, device="cuda:1", nans=1200)
    assert value.text() == "x: float32 (8,) on cuda:1, 0.5 to 2, 1,200 NaN"
