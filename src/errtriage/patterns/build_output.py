"""Errors of compilers, linkers and build and package tools; their warnings are no faults.

`tool` tells an error from those that merely pass it on: c++, nvcc, msvc, ld, cmake and cargo find errors; ninja,
setuptools and pip report that something they called has failed.
"""

from __future__ import annotations

import re

from errtriage.lazy_regex import lazy
from errtriage.model import Event, Frame, Line
from errtriage.patterns.base import Fed, LinePattern, Make, compiled, event, frame
from errtriage.values import dataclass, field

_SOURCE = r"[^\s:()'\"]{1,300}\.(?:c|cc|cpp|cxx|cu|cuh|h|hh|hpp|hxx|inl|inc|ipp|tpp|hip|m|mm|pyx|f|f90|S)"
_OF_OTHERS = lazy(r"^/usr/|[\\/]include[\\/]|^include[\\/]")
_HEADER = r"[^\s:()'\"]{0,200}include/[^\s:()'\"]{1,300}"  # headers of the standard library have no suffix


def _frames(file: str | None, number: str | None) -> tuple[Frame, ...]:
    """Return the place of an error in a source file; headers that others wrote are none."""
    if not file or not number or _OF_OTHERS.search(file):
        return ()
    return (frame(file, int(number)),)


def _tool(name: str) -> Make:
    """Return a maker of errors that this tool reports."""

    def make(line: Line, found: re.Match[str]) -> Event:
        groups = found.groupdict()
        message = (groups.get("message") or found[0]).strip(" \t│|×")[:1000]
        file, number = groups.get("file"), groups.get("line")
        fields = {"tool": name, "file": file, "line": number, "message": message}
        return event("build_error", line, fields, text=line.text.strip(" \t│|")[:1000], frames=_frames(file, number))

    return make


# gcc, clang, and nvcc's host compiler: `file:12:5: error: text`; nvcc's front end: `file(12): error #20: text`.
COMPILER = LinePattern(
    kind="build_error",
    literals=(": error: ", " fatal error: ", ": error:"),
    regex=(
        rf"(?<![^\s│])(?P<file>{_SOURCE}|{_HEADER}):(?P<line>\d{{1,7}})(?::\d{{1,6}})?: (?:fatal )?error:(?! ?\(-\d) ?"
        r"(?P<message>.{1,1000})"
    ),
    make=_tool("c++"),
    examples=(
        "csrc/op.cpp:12:5: error: 'foo' was not declared in this scope",
        "csrc/op.cu:3:10: fatal error: cuda_runtime.h: No such file or directory",
        "/usr/local/cuda/include/crt/host_config.h:139:2: error: #error -- unsupported GNU version!",
        "/usr/include/c++/11/bits/std_function.h:435:145: error: parameter packs not expanded with '...':",
    ),
    ignore=(
        "csrc/op.cpp:12:5: warning: unused variable",
        "train.py:12:5: error: Name 'x' is not defined",
        "cv2.error: OpenCV(4.7.0) modules/color.cpp:182: error: (-215:Assertion failed) !_src.empty()",
    ),
)

NVCC_FRONT_END = LinePattern(
    kind="build_error",
    literals=("): error", "): fatal error"),
    regex=(
        rf"(?<![^\s│])(?P<file>{_SOURCE}|{_HEADER})\((?P<line>\d{{1,7}})(?:,\d{{1,6}})?\): "
        r"(?:catastrophic |fatal )?error(?: #\d{1,6}(?:-D)?)?: ?(?P<message>.{1,1000})"
    ),
    make=_tool("nvcc"),
    examples=(
        'csrc/op.cu(17): error: identifier "foo" is undefined',
        "csrc/op.cu(17): error #20: identifier is undefined",
    ),
    ignore=("csrc/op.hpp(61): warning #128-D: loop is not reachable",),
)

NVCC = LinePattern(
    kind="build_error",
    literals=("nvcc fatal", "nvcc error", "ptxas", "cicc"),
    regex=(
        r"(?<![^\s│])(?:nvcc (?:fatal|error) {0,8}: .{1,900}|ptxas (?:fatal|error) {0,8}: .{1,900}|"
        r"ptxas .{1,300}?, line \d{1,7}; (?:error|fatal) {0,8}: .{1,600})"
    ),
    make=_tool("nvcc"),
    examples=(
        "nvcc fatal   : Unsupported gpu architecture 'compute_90'",
        "nvcc error   : 'cicc' died due to signal 9 (Kill signal)",
        "ptxas fatal   : Unresolved extern function 'f'",
        "ptxas /tmp/tmpxft_1.ptx, line 88; error   : Feature 'cvt.bf16' requires .target sm_90 or higher",
    ),
    ignore=("ptxas info    : Used 32 registers", "nvcc: NVIDIA (R) Cuda compiler driver"),
)

MSVC = LinePattern(
    kind="build_error",
    literals=(" error C", " error LNK", " error D"),
    regex=(
        r"(?<!\S)(?:(?P<file>[^\s()]{1,300})(?:\((?P<line>\d{1,7})(?:,\d{1,6})?\))?|\S{1,200}) ?: (?:fatal )?error "
        r"(?P<message>(?:C|LNK|D)\d{4}: .{1,900})"
    ),
    make=_tool("msvc"),
    examples=(
        "op.cpp(12): error C2065: 'foo': undeclared identifier",
        "LINK : fatal error LNK1181: cannot open input file 'cudart.lib'",
        "op.obj : error LNK2001: unresolved external symbol _foo",
        "D:\\op.cu(3,10): fatal error C1083: Cannot open include file: 'torch/extension.h': No such file",
    ),
    ignore=("op.cpp(12): warning C4819: The file contains a character", "an error Code: 12"),
)

# The driver of a compiler: killed, not found, or called with what it does not know.
DRIVER = LinePattern(
    kind="build_error",
    literals=(": fatal error: ", ": error: ", "internal compiler error", "unable to execute '", "Visual C++", "cl.exe"),
    regex=(
        r"(?<![^\s│])(?:[\w./+-]{0,200}?(?:g\+\+|gcc|c\+\+|cc1plus|cc1|cc|clang|clang\+\+|cl|hipcc|icpx)(?:-\d{1,2})?: "
        r"(?:fatal error|error|internal compiler error): (?P<message>.{1,900})|"
        r"unable to execute '.{1,200}?': .{1,200}|error: Microsoft Visual C\+\+ .{1,200}|"
        r".{0,60}Error checking compiler version for cl: .{1,200})"
    ),
    make=_tool("c++"),
    examples=(
        "g++: fatal error: Killed signal terminated program cc1plus",
        "c++: internal compiler error: Killed (program cc1plus)",
        "x86_64-linux-gnu-gcc: error: unrecognized option '-fno-x'",
        "unable to execute 'gcc': No such file or directory",
        "error: Microsoft Visual C++ 14.0 or greater is required. Get it with Microsoft C++ Build Tools",
    ),
    ignore=("gcc: warning: unused", "collect2: error: ld returned 1 exit status"),
)

LINKER = LinePattern(
    kind="build_error",
    literals=(
        "undefined reference to", "cannot find -l", "can not be used when making a shared object", "ld.lld: error",
        "ld: library not found", "ld: symbol(s) not found", "Undefined symbols for architecture", "ld: error: ",
    ),
    regex=(
        r"(?:undefined reference to .{1,500}|cannot find -l.{1,200}|ld(?:\.lld|64\.lld)?: error: .{1,500}|"
        r"relocation R_.{1,300}? can not be used when making a shared object.{0,200}|"
        r"ld: (?:library not found|symbol\(s\) not found).{1,300}|Undefined symbols for architecture .{1,100})"
    ),
    make=_tool("ld"),
    examples=(
        "op.cpp:(.text+0x1f): undefined reference to `cudaMalloc'",
        "/usr/bin/ld: cannot find -lcudart: No such file or directory",
        "ld.lld: error: undefined symbol: foo",
    ),
    ignore=("collect2: error: ld returned 1 exit status", "an undefined reference"),
)  # fmt: skip

CARGO = LinePattern(
    kind="build_error",
    literals=("error[E", "could not compile `", "can't find Rust compiler", "Rust package manager"),
    regex=(
        r"^[\s│]{0,40}(?:error\[E\d{4}\]: .{1,500}|error: could not compile `.{1,300}|"
        r"error: can't find Rust compiler.{0,200}|Cargo, the Rust package manager, is not installed.{0,200})"
    ),
    make=_tool("cargo"),
    examples=(
        "error: can't find Rust compiler",
        "error: could not compile `tokenizers` (lib) due to 1 previous error",
        "error[E0308]: mismatched types",
    ),
    ignore=("error: no such command",),
)

PASSED_ON = LinePattern(
    kind="build_error",
    literals=("ninja: ", "FAILED: ", "returned 1 exit status", "linker command failed", "errors occurred!"),
    regex=(
        r"^[\s│]{0,40}(?:ninja: (?:build stopped|error|fatal): .{1,300}|"
        r"FAILED: (?:\[code=\d+\] )?\S{1,400}\.(?:o|obj|so|cu)\b|collect2: error: ld returned \d+ exit status|"
        r"clang(?:\+\+)?: error: linker command failed.{0,100}|"
        r"-- Configuring incomplete, errors occurred!)"
    ),
    make=_tool("ninja"),
    examples=(
        "ninja: build stopped: subcommand failed.",
        "FAILED: /tmp/build/op.o",
        "FAILED: [code=1] build/op.cuda.o",
        "collect2: error: ld returned 1 exit status",
    ),
    ignore=("FAILED: test_x", "ninja: no work to do.", "ninja: warning: build log version is too old"),
)


@dataclass(slots=True)
class _CMakeError:
    """The head of a CMake error and its indented text."""

    first: Line
    last: Line
    found: re.Match[str]
    lines: list[str] = field(default_factory=list)

    def feed(self, line: Line) -> Fed:
        text = line.text
        indent = len(self.first.text) - len(self.first.text.lstrip())
        if not text.strip(" │"):
            return Fed.TAKEN
        if not text.startswith(" " * (indent + 2)) or len(self.lines) > 20:
            return Fed.ENDED
        self.lines.append(text.strip())
        self.last = line
        return Fed.TAKEN

    def close(self) -> tuple[Event, ...]:
        message = " ".join([*filter(None, [self.found["rest"].strip()]), *self.lines])[:1000]
        fields = {"tool": "cmake", "file": self.found["file"], "line": self.found["line"], "message": message}
        frames = _frames(self.found["file"], self.found["line"])
        return (event("build_error", self.first, fields, last=self.last, frames=frames),)


class CMakeError:
    """`CMake Error at file:line (command):` with its text on indented lines (`BlockPattern`)."""

    kind = "build_error"
    literals: tuple[str, ...] = ("CMake Error",)
    bound = 40
    examples: tuple[str, ...] = (
        "CMake Error at CMakeLists.txt:12 (find_package):\n  Could not find a package configuration file for Torch",
        "CMake Error: The source directory does not exist.",
    )
    ignore: tuple[str, ...] = ("CMake Warning at CMakeLists.txt:3 (message):",)

    def open(self, line: Line) -> _CMakeError | None:
        """Open at the head."""
        head = r"CMake Error(?: at (?P<file>.{1,300}?):(?P<line>\d{1,6})(?: \(\w{1,80}\))?)?:(?P<rest>.{0,600})$"
        found = compiled(head).search(line.text)
        return _CMakeError(line, line, found) if found is not None else None


CMAKE = CMakeError()
PATTERNS = (CMAKE, COMPILER, NVCC_FRONT_END, NVCC, MSVC, DRIVER, LINKER, CARGO, PASSED_ON)
