"""The dress that Keras and OpenMMLab put around the message of an exception that they raise again."""

from __future__ import annotations

from errtriage.lazy_regex import lazy

# `keras/src/utils/traceback_utils.py` (3.0 to 3.15) and `keras/utils/traceback_utils.py` (2.7 to 2.15) put the first
# of these before an exception's text, and the second behind it. `Error encountered:` and `Exception encountered:` are
# said where a call failed while Keras only wanted to know its shapes.
_OPENS = lazy(
    r"Exception encountered when calling |(?:Exception|Error) encountered: ?['\"]?$|"
    r"could not be deserialized properly\.|Error when deserializing class '"
)
_CLOSES = lazy(r"\s{0,20}(?:Call a|A)rguments received by |Exception encountered: \S")
_CALLED = lazy(r"Exception encountered when calling (?:layer )?[^\n]{1,200}\n\s{0,200}")
_BUILDING = lazy(r"(?:Exception|Error) encountered: ?\n\s{0,20}")
_ARGUMENTS = lazy(r"\n\s{0,20}(?:Call a|A)rguments received by ")
_VALUES = lazy(r"[\s\[\](),.\d+e-]{1,400}$")
# `build_from_cfg` of mmengine up to 0.7 and mmcv 2.0 (mmengine/registry/build_functions.py), once for each class that
# was being built: class `Runner` in mmengine/runner/runner.py: class `Head` in project/head.py: 'classes'.
_BUILT = lazy(r"\"?class `\w{1,80}` in [\w./\\-]{1,200}: ")
_DEPTH = 12


def opens(text: str) -> bool:
    """Return whether a message says after this line, beyond an empty one, what another call raised."""
    return _OPENS.search(text) is not None


def closes(text: str) -> bool:
    """Return whether with this line all is said of the other call, but for a list of its arguments."""
    return _CLOSES.match(text) is not None


def holds_values_alone(text: str) -> bool:
    """Return whether a line is a row of a printed array, of which a message can hold hundreds."""
    return _VALUES.match(text) is not None


def undressed(message: str) -> str:
    """Return what was raised in the innermost call that the message tells of, or the message as it is."""
    return _without_classes(_without_calls(message))


def _without_calls(message: str) -> str:
    inner = message
    for envelope in (_CALLED, _BUILDING):
        found = list(envelope.finditer(inner))
        if found:
            inner = inner[found[-1].end() :]
    if inner == message:
        return message
    end = _ARGUMENTS.search(inner)
    return (inner[: end.start()] if end else inner).strip("'\" \n") or message


def _without_classes(message: str) -> str:
    inner = message
    for _ in range(_DEPTH):
        found = _BUILT.match(inner)
        if not found:
            break
        inner = inner[found.end() :]
    if inner == message or not inner:
        return message
    return inner.removesuffix('"') if message.startswith('"') else inner
