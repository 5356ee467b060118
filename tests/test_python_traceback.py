"""Python tracebacks: chained, nested, cut, glued, indented, logged on one line, and woven without prefixes."""

import subprocess
import sys

import pytest

from errtriage.model import Event
from errtriage.patterns import exception_group, python_exception, python_traceback, python_warning
from events_of import events_of

_PATTERNS = (
    *exception_group.PATTERNS,
    *python_traceback.PATTERNS,
    *python_warning.PATTERNS,
    *python_exception.PATTERNS,
)


def _read(text: str) -> list[Event]:
    return events_of(_PATTERNS, text)


def _told(event: Event) -> tuple[str, str]:
    return event.fields["type"], event.fields["message"]


def _place(event: Event) -> tuple[str, int | None, str | None]:
    last = [frame for frame in event.frames if frame.user][-1]
    return last.file, last.line, last.code


def _run(tmp_path, source: str) -> str:
    program = tmp_path / "program.py"
    program.write_text(source)
    environment = {"PATH": "", "PYTHON_COLORS": "0", "NO_COLOR": "1"}
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, env=environment, check=False)
    return done.stderr


def test_chain_of_the_running_python(tmp_path):
    """A chain that this Python prints is read whole: both relations, and a message of two lines in its middle."""
    source = (
        "def inner():\n    return {}['b']\ntry:\n    try:\n        inner()\n    except KeyError as e:\n"
        "        raise ValueError('bad\\nsecond line') from e\nexcept ValueError:\n    1 / 0\n"
    )
    last, middle, first = _read(_run(tmp_path, source))
    assert [_told(one) for one in (last, middle, first)] == [
        ("ZeroDivisionError", "division by zero"),
        ("ValueError", "bad\nsecond line"),
        ("KeyError", "'b'"),
    ]
    assert (middle.parent, middle.relation) == (last, "handling")
    assert (first.parent, first.relation) == (middle, "cause")
    assert _place(first)[1:] == (2, "return {}['b']")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exception groups are new in 3.11")
def test_group_of_the_running_python(tmp_path):
    """The members of a group that this Python prints have the group as their parent, a nested group too."""
    source = (
        "def f():\n    raise ValueError('v')\nmembers = []\nfor what in (f, lambda: {}['k']):\n"
        "    try:\n        what()\n"
        "    except Exception as e:\n        members.append(e)\n"
        "raise ExceptionGroup('outer', [*members, ExceptionGroup('inner', [TypeError('t')])])\n"
    )
    outer, *members = _read(_run(tmp_path, source))
    assert outer.fields["message"] == "outer (3 sub-exceptions)"
    assert [_told(one) for one in members] == [
        ("ValueError", "v"),
        ("KeyError", "'k'"),
        ("ExceptionGroup", "inner (1 sub-exception)"),
        ("TypeError", "t"),
    ]
    assert [one.parent for one in members] == [outer, outer, outer, members[2]]
    assert {one.relation for one in members} == {"group"}


def test_threads_and_destructors_of_the_running_python(tmp_path):
    """A thread's exception names its thread; one that a destructor raised is marked as ignored."""
    source = (
        "import threading\ndef w():\n    raise RuntimeError('in thread')\nt = threading.Thread(target=w)\nt.start()\n"
        "t.join()\nclass A:\n    def __del__(self):\n        raise ValueError('late')\na = A()\ndel a\n"
    )
    thread, ignored = _read(_run(tmp_path, source))
    assert thread.fields["thread"].startswith("Thread-1")
    assert _told(thread) == ("RuntimeError", "in thread")
    assert (ignored.fields["type"], ignored.fields["ignored"]) == ("ValueError", "yes")


def test_syntax_error_has_its_file_as_last_frame(tmp_path):
    """A file that does not compile is the innermost frame of its SyntaxError."""
    (event,) = _read(_run(tmp_path, "x = (1,\n"))
    assert event.fields["type"] == "SyntaxError"
    assert _place(event)[1:] == (1, "x = (1,")


_HEAD = "Traceback (most recent call last):\n"
_MAIN = '  File "/app/t.py", line 20, in <module>\n    main()\n'


@pytest.mark.parametrize(
    ("text", "told", "place"),
    [
        pytest.param(
            f"{_HEAD}{_MAIN}    ^^^^^^\nlib.errors.Odd: no", ("Odd", "no"), ("/app/t.py", 20, "main()"), id="markers"
        ),
        pytest.param(
            f'{_HEAD}  File "/app/t.py", line 3, in f\nKeyError: 1',
            ("KeyError", "1"),
            ("/app/t.py", 3, None),
            id="no code",
        ),
        pytest.param(
            f"{_MAIN}RuntimeError: no grad_fn",
            ("RuntimeError", "no grad_fn"),
            ("/app/t.py", 20, "main()"),
            id="top cut off",
        ),
        pytest.param(
            f"  0%|          | 0/9 [00:00<?, ?it/s]{_HEAD}{_MAIN}ValueError: x",
            ("ValueError", "x"),
            ("/app/t.py", 20, "main()"),
            id="behind a bar",
        ),
        pytest.param(
            'In [7]: Traceback (most recent call last):\n\n  File "<ipython-input-4-7a>", line 1, in g\n    r()\n\n'
            '  File "D:expmrrun.py", line 8, in run\n    f()\n\nValueError: x',
            ("ValueError", "x"),
            ("D:expmrrun.py", 8, "f()"),
            id="Spyder, backslashes lost",
        ),
        pytest.param(
            '      Traceback (most recent call last):\n        File "/app/t.py", line 3, in f\n          g()\n'
            "      OSError: [Errno 28] No space left on device\n      [end of output]",
            ("OSError", "[Errno 28] No space left on device"),
            ("/app/t.py", 3, "g()"),
            id="indented by pip",
        ),
        pytest.param(
            '  traceback : Traceback (most recent call last):\n    File "/app/t.py", line 3, in f\n      g()\n'
            "  ValueError: bad\n",
            ("ValueError", "bad"),
            ("/app/t.py", 3, "g()"),
            id="in the table of torchrun",
        ),
        pytest.param(
            "ERROR worker: 'Traceback (most recent call last):\\n  File \"/app/t.py\", line 3, in f\\n    g(\\'a\\')\\n"
            "ValueError: no\\n'",
            ("ValueError", "no"),
            ("/app/t.py", 3, "g('a')"),
            id="on one line",
        ),
        pytest.param(
            f'{_HEAD}  File "/app/t.py", line 3, in f\n    line: g()\n    locals:\n'
            "      x = 3\nOutOfMemoryError: CUDA out of memory.",
            ("OutOfMemoryError", "CUDA out of memory."),
            ("/app/t.py", 3, "g()"),
            id="with locals",
        ),
        pytest.param(
            f"{_HEAD}{_MAIN}step 12 of 30\nanother process speaks\n  File \"/app/t.py\", line 5, in main\n    f()\n"
            "ValueError: x",
            ("ValueError", "x"),
            ("/app/t.py", 5, "f()"),
            id="other lines between",
        ),
    ],
)  # fmt: skip
def test_form(text, told, place):
    """Each form of a traceback gives one exception with its type, its message and the innermost frame."""
    (event,) = _read(text)
    assert _told(event) == told
    assert _place(event) == place


def test_what_a_spawned_child_raises_on_import_is_marked():
    """A traceback that goes through the import of the main module by a spawned child says so; another does not."""
    spawn = '  File "/lib/python3.11/multiprocessing/spawn.py", line 297, in _fixup_main_from_path\n    run(path)\n'
    (child,) = _read(f"{_HEAD}{spawn}{_MAIN}RuntimeError: context has already been set")
    (plain,) = _read(f"{_HEAD}{_MAIN}RuntimeError: context has already been set")
    assert (child.fields.get("spawned"), plain.fields.get("spawned")) == ("yes", None)


def test_frames_of_compiled_packages_are_not_the_persons_own():
    """Cython's frames, which name functions with their modules, are a library's; a plain frame beside them is not."""
    cython = (
        '  File "pandas/_libs/index.pyx", line 172, in pandas._libs.index.IndexEngine.get_loc\n'
        '  File "zmq/backend/cython/_zmq.py", line 1339, in zmq.backend.cython._zmq._check_closed\n'
    )
    (event,) = _read(f"{_HEAD}{_MAIN}{cython}KeyError: 'x'")
    assert [frame.user for frame in event.frames] == [True, False, False]


def test_module_of_a_class_is_kept_apart():
    """The class name stands without its module."""
    (event,) = _read(f"{_HEAD}{_MAIN}torch.cuda.OutOfMemoryError: CUDA out of memory.")
    assert (event.fields["module"], event.fields["type"]) == ("torch.cuda", "OutOfMemoryError")


_WORKER = (
    "RuntimeError: Caught RuntimeError in DataLoader worker process 1.\nOriginal Traceback (most recent call last):\n"
    '  File "/site-packages/torch/utils/data/_utils/worker.py", line 374, in _worker_loop\n    data = fetch(i)\n'
    '  File "/app/data.py", line 6, in __getitem__\n    return x[9]\nRuntimeError: bad sample 3\n\n'
)


def test_worker_exception_is_inside_the_one_that_the_loader_raised():
    """The exception of a DataLoader worker has the loader's as its parent, and both name the worker."""
    outer, inner = _read(f"{_HEAD}{_MAIN}{_WORKER}")
    assert outer.fields["message"] == "Caught RuntimeError in DataLoader worker process 1."
    assert (inner.parent, inner.relation) == (outer, "worker")
    assert inner.fields["worker"] == outer.fields["worker"]
    assert _place(inner) == ("/app/data.py", 6, "return x[9]")


def test_type_of_a_cut_worker_traceback_is_known_from_its_wrapper():
    """Where the log ends inside of a worker's traceback the wrapper still names the type."""
    text = f"{_HEAD}{_MAIN}" + _WORKER[: _WORKER.index("RuntimeError: bad")]
    assert [event.fields["type"] for event in _read(text)] == ["RuntimeError", "RuntimeError"]


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        pytest.param(
            "torch.multiprocessing.spawn.ProcessRaisedException: \n\n"
            f"-- Process 1 terminated with the following error:\n{_HEAD}"
            '  File "/app/data.py", line 6, in f\n    g()\nValueError: boom\n',
            "spawn",
            id="spawn",
        ),
        pytest.param(
            "ray.exceptions.RayTaskError(ValueError): ray::f() (pid=4711, ip=10.0.0.1)\n"
            '  File "/app/data.py", line 6, in f\n    g()\nValueError: boom',
            "worker",
            id="ray",
        ),
        pytest.param(
            f'RuntimeError: {_HEAD}  File "/app/data.py", line 6, in f\n    g()\nValueError: boom\n',
            "worker",
            id="torch 1.0",
        ),
        pytest.param(
            "KeyError: 'Traceback (most recent call last):\\n  File \"/app/data.py\", line 6, in f\\n    g()\\n"
            "ValueError: boom\\n'",
            "worker",
            id="torch 1.0, as a KeyError",
        ),
    ],
)  # fmt: skip
def test_nested(text, relation):
    """A traceback from another process is the inner event of the exception whose message quotes it."""
    outer, inner = _read(f"{_HEAD}{_MAIN}{text}")
    assert (inner.parent, inner.relation) == (outer, relation)
    assert _told(inner) == ("ValueError", "boom")
    assert _place(inner) == ("/app/data.py", 6, "g()")
    assert _place(outer) == ("/app/t.py", 20, "main()")


def test_remote_traceback_of_a_pool():
    """The traceback that a pool quotes between quotation marks belongs to the worker, and the quotation is no event."""
    text = (
        f'concurrent.futures.process._RemoteTraceback: \n"""\n{_HEAD}  File "/app/data.py", line 6, in f\n    g()\n'
        'ValueError: boom\n"""\n\nThe above exception was the direct cause of the following exception:\n\n'
        f"{_HEAD}{_MAIN}ValueError: boom"
    )
    outer, inner = _read(text)
    assert (inner.parent, inner.relation) == (outer, "worker")
    assert _told(inner) == ("ValueError", "boom")


def test_equal_tracebacks_woven_line_by_line_are_taken_apart():
    """Two ranks that print the same traceback without prefixes give two whole tracebacks."""
    head, *rows = (_HEAD + _MAIN + "  File \"/app/t.py\", line 5, in main\n    step(x)\nKeyError: 'k'").split("\n")
    woven = [head, rows[0], head, rows[1], rows[0], rows[2], rows[1], rows[3], rows[2], rows[4], rows[3], rows[4]]
    first, second = _read("\n".join(woven))
    assert first.frames == second.frames
    assert [frame.code for frame in first.frames] == ["main()", "step(x)"]
    assert _told(first) == _told(second) == ("KeyError", "'k'")


def test_different_tracebacks_woven_line_by_line_are_taken_apart():
    """A parent and its child that print different tracebacks at once each keep their own frames."""
    text = (
        f'{_HEAD}  File "main.py", line 131, in <module>\n{_HEAD}  File "<string>", line 1, in <module>\n    fit(tag)\n'
        '  File "fit.py", line 88, in fit\n  File "/lib/python3.9/multiprocessing/spawn.py", line 116, in spawn_main\n'
        "    for batch in loader:\n    exitcode = _main(fd)\n"
        '  File "/lib/python3.9/multiprocessing/spawn.py", line 126, in _main\n    self = load(parent)\n'
        "EOFError: Ran out of input\n    w.start()\nAttributeError: Can't pickle local object"
    )
    parent, child = _read(text)
    assert (parent.fields["type"], child.fields["type"]) == ("AttributeError", "EOFError")
    assert _place(parent) == ("fit.py", 88, "for batch in loader:")
    assert [frame.function for frame in child.frames] == ["<module>", "spawn_main", "_main"]


def test_traceback_cut_by_the_end_of_the_log():
    """A log that ends inside of a traceback gives an exception without a type, with the frames so far."""
    (event,) = _read(f"{_HEAD}{_MAIN}" + '  File "/app/t.py", line 5, in main\n    loss.back')
    assert (event.fields["type"], event.fields["cut"]) == ("", "yes")
    assert _place(event) == ("/app/t.py", 5, "loss.back")


@pytest.mark.parametrize(
    "text",
    [
        f"{_HEAD}{_MAIN}/app/t.py:20: UserWarning: old\n  main()\nepoch 1 loss 0.3\nepoch 2\nall is well\nthe end",
        'Graph break: from user code at:\n  File "/app/t.py", line 5, in f\n    return g(x)\n\nepoch 1 loss 0.3',
        'Thread 0x7f (most recent call first):\n  File "/app/t.py", line 5 in f',
    ],
)
def test_printed_stack_is_no_exception(text):
    """Frames that no exception line ends, followed by other lines, are a stack that somebody printed."""
    assert [event for event in _read(text) if event.kind == "exception"] == []
