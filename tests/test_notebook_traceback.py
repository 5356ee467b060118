"""Tracebacks of IPython, Jupyter and Colab: cells and files as frames, the arrow's line and code, chains."""

import pytest

from errtriage.patterns import notebook_traceback
from events_of import events_of

_RULE = "-" * 75
_TEXTS = {
    "IPython 5": (
        "KeyErrorTraceback (most recent call last)\n<ipython-input-3-abc> in <module>()\n----> 1 f(1)\n\n"
        "<ipython-input-2-abc> in f(x)\n      1 def f(x):\n----> 2     return {}[x]\n\nKeyError: 1"
    ),
    "IPython 7": (
        f"{_RULE}\nKeyError                                  Traceback (most recent call last)\n"
        "<ipython-input-3-abc> in <module>\n----> 1 f(1)\n\n<ipython-input-2-abc> in f(x)\n      1 def f(x):\n"
        "----> 2     return {}[x]\n\nKeyError: 1"
    ),
    "IPython 8.0": (
        f"{_RULE}\nKeyError                                  Traceback (most recent call last)\n"
        "Input In [3], in <cell line: 1>()\n----> 1 f(1)\n\nInput In [2], in f(x)\n      1 def f(x):\n"
        "----> 2     return {}[x]\n\nKeyError: 1\n\nIn [4]: "
    ),
    "IPython 9": (
        f"{_RULE}\nKeyError                                  Traceback (most recent call last)\n"
        "Cell In[3], line 1\n----> 1 f(1)\n\nCell In[2], line 2, in f(x)\n      1 def f(x):\n"
        "----> 2     return {}[x]\n\nKeyError: 1"
    ),
    "Colab": (
        f"{_RULE}\nKeyError                                  Traceback (most recent call last)\n"
        "/tmp/ipython-input-3-123.py in <cell line: 0>()\n----> 1 f(1)\n\n1 frames\n"
        "/tmp/ipython-input-2-123.py in f(x)\n"
        "      1 def f(x):\n----> 2     return {}[x]\n\nKeyError: 1\n\n" + _RULE
    ),
}


@pytest.mark.parametrize("text", _TEXTS.values(), ids=_TEXTS.keys())
def test_version(text):
    """Every version gives the type, the message, and two frames with the arrow's line and code."""
    (event,) = events_of(notebook_traceback.PATTERNS, text)
    assert (event.fields["type"], event.fields["message"], event.fields["origin"]) == ("KeyError", "1", "notebook")
    assert [(frame.line, frame.code, frame.user) for frame in event.frames] == [
        (1, "f(1)", True),
        (2, "return {}[x]", True),
    ]
    assert [frame.function for frame in event.frames] == ["<module>", "f"]


def test_file_of_a_package_is_no_user_code():
    """A file below site-packages, here on Windows, is no code of the user, and its line is the arrow's."""
    text = (
        "IndexError                                Traceback (most recent call last)\n"
        "Cell In[18], line 1\n----> 1 fit()\n\n"
        "File ~\\blades\\venv\\lib\\site-packages\\torch\\nn\\functional.py:2846, in cross_entropy(input, target)\n"
        "   2844 if size_average is not None:\n   (...)\n-> 2846 return torch._C._nn.cross_entropy_loss(input)\n\n"
        "IndexError: Target 1 is out of bounds."
    )
    (event,) = events_of(notebook_traceback.PATTERNS, text)
    assert [(frame.line, frame.user) for frame in event.frames] == [(1, True), (2846, False)]
    assert event.frames[1].function == "cross_entropy"


def test_chain():
    """A chain in a notebook has the same relations as one in a terminal, and a message of two lines."""
    text = (
        "KeyError                                  Traceback (most recent call last)\n"
        "File /app/mod.py:3, in inner(x)\n----> 3 return {}[x]\n\nKeyError: 1\n\n"
        "The above exception was the direct cause of the following exception:\n\n"
        "ValueError                                Traceback (most recent call last)\n"
        "Cell In[3], line 1\n----> 1 f(1)\n\nValueError: bad value\nsecond\n\nIn [4]:"
    )
    last, first = events_of(notebook_traceback.PATTERNS, text)
    assert (first.fields["type"], first.parent, first.relation) == ("KeyError", last, "cause")
    assert last.fields["message"] == "bad value\nsecond"


def test_cell_that_does_not_compile():
    """A SyntaxError in a cell has the cell as its frame."""
    text = "  Cell In[3], line 1\n    a = (1,\n        ^\nSyntaxError: '(' was never closed"
    (event,) = events_of(notebook_traceback.PATTERNS, text)
    assert event.fields["message"] == "'(' was never closed"
    assert (event.frames[0].file, event.frames[0].line, event.frames[0].code) == ("Cell In[3]", 1, "a = (1,")


def test_code_of_a_module_is_a_frame():
    """From IPython 8 on the code of an imported module stands under its file and line, without a function."""
    text = (
        "ImportError                               Traceback (most recent call last)\n"
        "Cell In[1], line 2\n      1 import sys\n----> 2 import net\n\n"
        "File /app/net.py:14\n     12 # first\n---> 14 from .layers import Block\n\nImportError: no layers"
    )
    (event,) = events_of(notebook_traceback.PATTERNS, text)
    assert [(one.file, one.line, one.function) for one in event.frames][1] == ("/app/net.py", 14, "<module>")


def test_exception_of_a_data_worker():
    """A worker's exception, printed as the end of the message, is one of its own, below its wrapper."""
    text = (
        "RuntimeError                              Traceback (most recent call last)\n"
        "Cell In[3], line 1\n----> 1 train(loader)\n\n"
        "RuntimeError: Caught RuntimeError in DataLoader worker process 0.\n"
        "Original Traceback (most recent call last):\n"
        '  File "/app/data.py", line 24, in collate\n    return torch.zeros(3).cuda()\n'
        "RuntimeError: CUDA error: initialization error\n"
    )
    wrapper, inner = events_of(notebook_traceback.PATTERNS, text)
    assert (inner.parent, inner.relation, inner.fields["message"]) == (
        wrapper,
        "worker",
        "CUDA error: initialization error",
    )
    assert wrapper.fields["message"] == inner.fields["worker"] == "Caught RuntimeError in DataLoader worker process 0."
    assert [one.file for one in inner.frames] == ["/app/data.py"]
