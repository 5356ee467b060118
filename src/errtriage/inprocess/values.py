"""What tensors, arrays and numbers stood in the frames of a failure: shapes, types, devices, and ranges where safe.

Nothing of the user's runs for it: types are told by `type()`, never by `isinstance`, `repr` or an attribute of a
class that is not torch's or NumPy's own. The memory of a GPU is never read after an error of CUDA, nor while work is
still queued on it that might not end.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any

from errtriage.patterns.base import is_user_file
from errtriage.values import dataclass, replace

_FRAMES = 3  # innermost ones of the user's code
_CALLED = 6  # innermost ones of what they called
_MOST_VALUES = 12  # in one frame
_MOST_ITEMS = 6  # of one list or dictionary
_MOST_READ = 50_000_000  # values of one tensor on the CPU, a few milliseconds
_MOST_READ_GPU = 4_000_000
_DEVICE_WAIT = 0.5  # seconds in which a GPU may finish what is queued
_SECRET_WORDS = ("key", "token", "secret", "passw", "pwd", "credential", "auth", "pin")
# What an exception says after which the context of the device is not to be touched.
_DEVICE_ERRORS = ("CUDA", "cuda", "HIP", "cuBLAS", "CUBLAS", "cuDNN", "CUDNN", "NCCL", "device-side", "Triton", "Accel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One tensor, array or number of a frame; `low` and `high` are of its finite values, None where not read."""

    name: str
    kind: str  # tensor, array or number
    dtype: str
    shape: tuple[int, ...] = ()
    device: str = ""
    low: float | None = None
    high: float | None = None
    nans: int = 0
    infinities: int = 0
    file: str = ""
    line: int = 0
    function: str = ""
    user: bool = True  # stands in a frame of the user's own code
    roles: tuple[str, ...] = ()  # the names that it has in the functions which the user's code called

    @property
    def whole(self) -> bool:
        """Whether it holds whole numbers."""
        return self.dtype.startswith(("int", "uint"))

    def text(self) -> str:
        """Return one line, e.g. `target: int64 (8,) on cpu, 0 to 3`."""
        if self.kind == "number":
            return f"{self.name} = {_number(self.low)}"
        told = f"{self.name}: {self.dtype} {_shape(self.shape)}"
        if self.device:
            told += f" on {self.device}"
        if self.low is not None and self.high is not None:
            told += f", {_number(self.low)} to {_number(self.high)}"
        for count, word in ((self.nans, "NaN"), (self.infinities, "inf")):
            told += f", {count:,} {word}" if count else ""
        return told


def values_of(error: BaseException, traceback: TracebackType | None) -> list[Value]:
    """Return what stood in the innermost frames of an exception and of what it was raised from."""
    reader = _Reader(touch_device=not _is_device_error(error))
    found: list[Value] = []
    for frame, line in _frames(error, traceback):
        found += reader.frame(frame, line)
    return [replace(one, roles=tuple(reader.roles.get(key, ()))) for key, one in zip(reader.keys, found, strict=True)]


# Of the exception itself, whatever its class may have made of `args`.
_ARGUMENTS: Callable[[BaseException], tuple[Any, ...]] = vars(BaseException)["args"].__get__


def _is_device_error(error: BaseException | None) -> bool:
    """Return whether an exception, or one behind it, comes from the device or may come from it."""
    seen = 0
    while error is not None and seen < 16:
        text = f"{type(error).__name__} {type(error).__module__}"
        for argument in _ARGUMENTS(error)[:4]:
            text += argument[:4000] if type(argument) is str else ""
        if any(word in text for word in _DEVICE_ERRORS):
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    return False


def _frames(error: BaseException, traceback: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    """Yield the user's frames, innermost first, then those of what they called; of the exception, then of its cause."""
    chain = [traceback]
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if behind is not None:
        chain.append(behind.__traceback__)
    for one in chain:
        frames: list[tuple[FrameType, int]] = []
        while one is not None:
            frames.append((one.tb_frame, one.tb_lineno))
            one = one.tb_next
        users = [index for index, (frame, _) in enumerate(frames) if is_user_file(frame.f_code.co_filename)]
        called = frames[users[-1] + 1 :] if users else frames
        yield from (frames[index] for index in reversed(users[-_FRAMES:]))
        yield from reversed(called[-_CALLED:])


class _Reader:
    """Reads the values of frames; each object once, by the name that it has first.

    `keys` are the identities of the values that were returned, `roles` the further names of each.
    """

    def __init__(self, *, touch_device: bool) -> None:
        self._torch: Any = sys.modules.get("torch")
        self._numpy: Any = sys.modules.get("numpy")
        self._touch_device = touch_device and self._torch is not None
        self._seen: set[int] = set()
        self.keys: list[int] = []
        self.roles: dict[int, list[str]] = {}

    def frame(self, frame: FrameType, line: int) -> list[Value]:
        """Return the values of a frame that were not seen yet."""
        code = frame.f_code
        place: dict[str, Any] = {"file": code.co_filename, "line": line, "function": code.co_name}
        place["user"] = is_user_file(code.co_filename)
        found: list[Value] = []
        for name, value in self._named(frame.f_locals):
            if len(found) >= _MOST_VALUES:
                break
            number = type(value) in (int, float)
            if not number and id(value) in self._seen:
                self.roles.setdefault(id(value), []).append(name)
                continue
            if not number:
                self._seen.add(id(value))
            try:
                told = self._value(name, value)
            except Exception:  # a tensor that can not be read is one that is not told of
                continue
            if told is not None:
                found.append(Value(**told, **place))
                self.keys.append(0 if number else id(value))
        return found

    def _named(self, names: Any) -> Iterator[tuple[str, Any]]:
        """Yield the values of a frame, those inside of plain lists, dictionaries and torch's own modules too."""
        for name, value in list(names.items())[:200]:
            if name.startswith("__") or any(word in name.lower() for word in _SECRET_WORDS):
                continue
            kind = type(value)
            if kind in (list, tuple):
                yield from (
                    (f"{name}[{index}]", one) for index, one in enumerate(value[:_MOST_ITEMS]) if not _plain(one)
                )
            elif kind is dict:
                items = [(key, one) for key, one in list(value.items())[:_MOST_ITEMS] if type(key) is str]
                yield from ((f"{name}[{key!r}]", one) for key, one in items if not _plain(one))
            elif _is_torch_module(kind):
                parameters = value.__dict__.get("_parameters", {})
                yield from ((f"{name}.{key}", one) for key, one in parameters.items() if one is not None)
            else:
                yield name, value

    def _value(self, name: str, value: Any) -> dict[str, Any] | None:
        kind = type(value)
        if kind in (int, float):
            return {"name": name, "kind": "number", "dtype": kind.__name__, "low": value}
        if self._torch is not None and issubclass(kind, self._torch.Tensor):
            return self._tensor(name, value)
        if self._numpy is not None and kind is self._numpy.ndarray:
            return self._array(name, value)
        return None

    def _tensor(self, name: str, value: Any) -> dict[str, Any]:
        torch = self._torch
        own = type(value) in (torch.Tensor, torch.nn.Parameter)
        # A class of somebody else's would answer for itself; it is not asked.
        plain = getattr(torch._C, "DisableTorchFunctionSubclass", None) or torch._C.DisableTorchFunction
        with plain():
            told: dict[str, Any] = {
                "name": name,
                "kind": "tensor",
                "dtype": str(value.dtype).removeprefix("torch."),
                "shape": tuple(int(size) for size in value.shape),
                "device": str(value.device),
            }
        if own and value.layout is torch.strided and self._may_read(value):
            told |= self._range(value)
        return told

    def _may_read(self, value: Any) -> bool:
        if value.numel() == 0 or value.is_complex():
            return False
        if value.device.type == "cpu":
            return bool(value.numel() <= _MOST_READ)
        return value.device.type == "cuda" and value.numel() <= _MOST_READ_GPU and self._device_is_idle(value.device)

    def _device_is_idle(self, device: Any) -> bool:
        """Return whether nothing is queued that a read would have to wait for, perhaps for ever."""
        if not self._touch_device:
            return False
        try:
            stream = self._torch.cuda.current_stream(device)
            until = time.monotonic() + _DEVICE_WAIT
            while not stream.query():
                if time.monotonic() > until:
                    self._touch_device = False
                    return False
                time.sleep(0.01)
        except Exception:  # the device has failed after all
            self._touch_device = False
            return False
        return True

    def _range(self, value: Any) -> dict[str, Any]:
        torch = self._torch
        with torch.no_grad():
            value = value.detach()
            if not value.is_floating_point():
                value = value.to(torch.int64)
                return {"low": int(value.min()), "high": int(value.max())}
            value = value.float() if value.dtype != torch.float64 else value
            finite = value[torch.isfinite(value)]
            nans = int(torch.isnan(value).sum())
            told = {"nans": nans, "infinities": value.numel() - finite.numel() - nans}
            return told if not finite.numel() else {**told, "low": float(finite.min()), "high": float(finite.max())}

    def _array(self, name: str, value: Any) -> dict[str, Any]:
        numpy = self._numpy
        told: dict[str, Any] = {"name": name, "kind": "array", "dtype": str(value.dtype), "shape": value.shape}
        if value.dtype.kind not in "iuf" or not 0 < value.size <= _MOST_READ:
            return told
        with numpy.errstate(all="ignore"):
            if value.dtype.kind != "f":
                return {**told, "low": int(value.min()), "high": int(value.max())}
            finite = value[numpy.isfinite(value)]
            nans = int(numpy.isnan(value).sum())
            told |= {"nans": nans, "infinities": int(value.size - finite.size) - nans}
            return {**told, "low": float(finite.min()), "high": float(finite.max())} if finite.size else told


def _plain(value: Any) -> bool:
    return type(value) in (int, float, str, bool, type(None))


def _is_torch_module(kind: type) -> bool:
    # By the names of the class alone: asking an object of the user's for anything may run the user's code.
    return any(base.__module__ == "torch.nn.modules.module" and base.__name__ == "Module" for base in kind.__mro__)


def _shape(shape: tuple[int, ...]) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def _number(number: float | None) -> str:
    if number is None:
        return "?"
    return f"{number:,}".replace(",", "") if isinstance(number, int) else f"{number:.4g}"
