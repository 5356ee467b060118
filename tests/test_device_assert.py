"""Device-side assertions in every spelling that runtimes print and people paste."""

from __future__ import annotations

from pathlib import Path

import pytest

from errtriage.model import Event, Line, Repeat, Span
from errtriage.patterns import device_assert
from errtriage.patterns.base import Fed, LinePattern

CATALOGUE = Path(__file__).parent / "catalogue" / "torch-device-asserts.tsv"
BCE = "input_val >= zero && input_val <= one"
NLL = "t >= 0 && t < n_classes"
WHOLE = f":250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [5,0,0] Assertion `{NLL}` failed."


def line(text: str, number: int = 1, repeat: Repeat | None = None) -> Line:
    return Line(span=Span(first=number, last=number), text=text, repeat=repeat)


def events(text: str) -> list[Event]:
    """Feed a text to the patterns of this module as the parser does: blocks first, then lines."""
    found: list[Event] = []
    block = None
    for number, row in enumerate(text.split("\n"), 1):
        one = line(row, number)
        if block is not None:
            fed = block.feed(one)
            if fed in (Fed.LAST, Fed.ENDED):
                found += block.close()
                block = None
            if fed in (Fed.LAST, Fed.TAKEN):
                continue
        for pattern in device_assert.PATTERNS:
            if not any(literal in row for literal in pattern.literals):
                continue
            if isinstance(pattern, LinePattern):
                made = list(pattern.parse(one))
                found += made
                if made:
                    break
            else:
                block = pattern.open(one)
                if block is not None:
                    break
    return found + list(block.close() if block is not None else ())


def only(text: str) -> dict[str, str]:
    (event,) = events(text)
    assert event.kind == "device_assert"
    return dict(event.fields)


def rows() -> list[dict[str, str]]:
    kept = [text.split("\t") for text in CATALOGUE.read_text("utf-8").splitlines() if not text.startswith("#")]
    return [dict(zip(kept[0], row, strict=True)) for row in kept[1:]]


def cases() -> list[tuple[str, str, str, str, str]]:
    """Return expression, file, function, op, macro of each row that a device prints as an assertion."""
    host = ("host TORCH_CHECK", "TORCH_CHECK in generated", "device printf")
    return [
        (row["expression"], row["file"], function, row["op"], row["macro"])
        for row in rows()
        if not row["macro"].startswith(host) and "PRINTF" not in row["macro"]
        for function in (row["function"].split(";") if row["function"] != "-" else [""])
    ]


@pytest.mark.parametrize("prefix", ["/pytorch/", "../", "/opt/conda/conda-bld/pytorch_1640811803361/work/"])
def test_catalogue(prefix: str) -> None:
    """Every assertion of the catalogue is read with its expression, file, function and operation."""
    for expression, file, function, op, macro in cases():
        place = "block: [3,0,0], thread: [17,1,0]"
        if macro.startswith("SYCL"):
            place = place.replace("block", "global id").replace("thread", "local id")
        name = f" {function}:" if function else ""
        expression = expression.replace("{lower}", "0").replace("{upper}", "10").replace("{index expr}", "tmp4")
        fields = only(f"{prefix}{file}:94:{name} {place} Assertion `{expression}` failed.")
        assert fields["condition"] == expression.strip()
        assert fields["file"] == prefix + file
        assert fields.get("function", "") == function
        assert (fields["line"], fields["block"], fields["thread"]) == ("94", "3,0,0", "17,1,0")
        if "op" in fields or op != "-":
            assert fields["op"] == op, expression


def test_full_signature() -> None:
    """A C++ signature with templates, commas and brackets is the function, and nothing of it is the file."""
    signature = (
        "void indexSelectLargeIndex(TensorInfo<T, IndexType>, TensorInfo<T, IndexType>, int, IndexType, long) "
        "[with T = float, IndexType = unsigned int, DstDim = 2, SrcDim = 2, IdxDim = -2, IndexIsMajor = true]"
    )
    fields = only(
        f"/pytorch/aten/src/THC/THCTensorIndex.cu:361: {signature}: block: [29,0,0], thread: [64,0,0] "
        "Assertion `srcIndex < srcSelectDimSize` failed."
    )
    assert fields["function"] == signature
    assert fields["file"] == "/pytorch/aten/src/THC/THCTensorIndex.cu"
    assert fields["op"] == "index_select / nn.Embedding forward"


@pytest.mark.parametrize(
    ("text", "file"),
    [
        (r"C:\w\b\windows\pytorch\aten\src\ATen\native\cuda\Loss.cu", None),
        ("C:wbwindowspytorchatensrcATennativecudaLoss.cu", None),
        (r"C:\Program Files\my build\Loss.cu", None),
        (r"In [7]: C:\w\Loss.cu", r"C:\w\Loss.cu"),
        ("In [7]: C:wpytorchatenLoss.cu", "C:wpytorchatenLoss.cu"),
        (">>> /pytorch/aten/Loss.cu", "/pytorch/aten/Loss.cu"),
        ("Epoch 1/40:   0%|          | 0/90 [00:00<?, ?it/s]/pytorch/aten/Loss.cu", "/pytorch/aten/Loss.cu"),
        ("Epoch 1/40:   0%|          | 0/90 [00:00<?, ?it/s]C:/cb/aten/Loss.cu", "C:/cb/aten/Loss.cu"),
        ("loss=0.412../aten/src/ATen/native/cuda/Loss.cu", "../aten/src/ATen/native/cuda/Loss.cu"),
        ("step 3: ../aten/src/ATen/native/cuda/Loss.cu", "../aten/src/ATen/native/cuda/Loss.cu"),
    ],
)
def test_glued(text: str, file: str | None) -> None:
    """The file is found behind prompts and progress bars, with blanks in it, and where its backslashes are lost."""
    fields = only(f"{text}:115: block: [0,0,0], thread: [4,0,0] Assertion `{BCE}` failed.")
    assert fields["file"] == (text if file is None else file)
    assert fields["op"] == "binary_cross_entropy (BCELoss) forward"
    assert fields["condition"] == BCE
    assert "function" not in fields


@pytest.mark.parametrize("quotes", ["``", "''", '""', "‘’", "`'", "´´"])
def test_quotes(quotes: str) -> None:
    """The expression is clean whatever quotes stand around it."""
    text = f"xxx.cu:xxx: block: [xxx,0,0], thread: [xxx,0,0] Assertion {quotes[0]}{BCE}{quotes[1]} failed."
    fields = only(text)
    assert fields["condition"] == BCE
    assert fields["file"] == "xxx.cu"
    assert "line" not in fields


def test_no_quotes() -> None:
    """Backquotes that Markdown has eaten are not missed."""
    assert only(f"a/Loss.cu:9: f: block: [0,0,0], thread: [0,0,0] Assertion {NLL} failed.")["condition"] == NLL


def test_escaped() -> None:
    """Signs that a web page escaped are those of the source again."""
    text = "a/Loss.cu:9: f: block: [0,0,0], thread: [0,0,0] Assertion `t &gt;= 0 &amp;&amp; t &lt; n_classes` failed."
    assert only(text)["condition"] == NLL


def test_quotes_inside() -> None:
    """An expression may itself hold quotes, backquotes and the word failed."""
    for expression in ('x > 0 && "`idx` is bad"', 'ok && "alloc failed here"', "a == 'b'"):
        text = f"a/k.cu:9: f: block: [0,0,0], thread: [0,0,0] Assertion `{expression}` failed."
        assert only(text)["condition"] == expression


def test_several_on_one_line() -> None:
    """Assertions that lost the line feed between them are told apart, each with its own place."""
    one = "/p/Loss.cu:250: f_1d: block: [0,0,0], thread: [{},0,0] Assertion `{}` failed."
    found = events(one.format(1, NLL) + one.format(2, NLL) + " " + one.format(3, BCE))
    assert [event.fields["thread"] for event in found] == ["1,0,0", "2,0,0", "3,0,0"]
    assert [event.fields["condition"] for event in found] == [NLL, NLL, BCE]
    assert {event.fields["file"] for event in found} == {"/p/Loss.cu"}
    assert {event.fields["function"] for event in found} == {"f_1d"}


def test_printf_layouts() -> None:
    """The layouts of CUDA_KERNEL_ASSERT_PRINTF of 2.9 and of 2.12 are read."""
    reason = "Invalid input! In `repeat_interleave`, the `output_size` argument (5) must be the same as the sum (6)."
    old = only(f"/pytorch/aten/Repeat.cu:20: compute_cuda_kernel: block: [0,0,0], thread: [0,0,0] {reason}")
    assert old["condition"] == reason
    new = only(
        "[CUDA_KERNEL_ASSERT] /pytorch/aten/Repeat.cu:20: compute_cuda_kernel: block: [0,0,0], thread: [0,0,0]: "
        f"Assertion failed: `result_size == cumsum_ptr[size - 1]`: {reason}"
    )
    assert (new["condition"], new["message"]) == ("result_size == cumsum_ptr[size - 1]", reason)
    assert (old["op"], new["op"]) == ("repeat_interleave", "repeat_interleave")
    assert new["file"] == "/pytorch/aten/Repeat.cu"


def test_triton() -> None:
    """An assertion of a compiled Triton kernel has its message for an expression and no known function."""
    fields = only(
        "/tmp/torchinductor_u/ab/cab.py:28: unknown: block: [0,0,0], thread: [31,0,0] "
        "Assertion `index out of bounds: 0 <= tmp6 < 10` failed."
    )
    assert fields["condition"] == "index out of bounds: 0 <= tmp6 < 10"
    assert fields["op"].startswith("torch.compile")


def test_cut_short() -> None:
    """A line that ends inside of its assertion is still one, with what it holds."""
    whole = f"/p/aten/native/cuda/Loss.cu{WHOLE}"
    for end in range(whole.index(" Assertion"), len(whole)):
        fields = only(whole[:end])
        assert fields["file"] == "/p/aten/native/cuda/Loss.cu"
        assert NLL.startswith(fields.get("condition", ""))


@pytest.mark.parametrize("width", [80, 100, 120])
def test_console_wrap(width: int) -> None:
    """An assertion that a console broke at its width is one event with the same fields."""
    whole = f"/pytorch/aten/src/ATen/native/cuda/Loss.cu{WHOLE}"
    broken = "\n".join(whole[i : i + width] for i in range(0, len(whole), width))
    assert only(broken) == only(whole)
    twice = events(broken + "\n" + broken)
    assert [event.span.first for event in twice] == [1, 1 + broken.count("\n") + 1]


def test_mail_wrap() -> None:
    """An assertion that was broken at blanks is one event with the same fields."""
    whole = f"/pytorch/aten/src/ATen/native/cuda/Loss.cu{WHOLE}"
    for gap in (" thread:", " [5,0,0]", " Assertion", " t <", " n_classes", " failed"):
        broken = whole.replace(gap, "\n" + gap[1:])
        assert only(broken) == only(whole), gap


def test_interrupted_wrap() -> None:
    """A broken assertion that never goes on leaves the following lines to others."""
    text = "/p/aten/native/cuda/Loss.cu:250: f: block: [0,0,0], thread: [5,0,0]\nTraceback (most recent call last):"
    (event,) = events(text)
    assert event.span == Span(first=1, last=1)


def test_tracked() -> None:
    """Each failure of a build with device-side assertion tracking is an event."""
    block = (
        "Assertion failure 0\n"
        "  GPU assertion failure message = t >= 0 && t < n_classes\n"
        "  File containing assertion = /pytorch/aten/src/ATen/native/cuda/Loss.cu:250\n"
        "  Device function containing assertion = nll_loss_forward\n"
        "  Thread ID that failed assertion = [5,0,0]\n"
        "  Block ID that failed assertion = [1,0,0]\n"
        "  File containing kernel launch = /pytorch/x.cu:3"
    )
    found = events("2 CUDA device-side assertion failures were found on GPU #0!\n" + block + "\n" + block)
    assert len(found) == 2
    assert found[0].fields == {
        "condition": NLL,
        "file": "/pytorch/aten/src/ATen/native/cuda/Loss.cu",
        "line": "250",
        "function": "nll_loss_forward",
        "op": "nll_loss / cross_entropy",
        "block": "1,0,0",
        "thread": "5,0,0",
    }


def test_other_runtimes() -> None:
    """HIP, the C runtime of Windows and symmetric memory print no block and thread."""
    hip = only("/p/aten/hip/Loss.hip:94: operator(): Device-side assertion `t >= 0' failed.")
    assert (hip["file"], hip["line"], hip["function"], hip["condition"]) == (
        "/p/aten/hip/Loss.hip",
        "94",
        "operator()",
        "t >= 0",
    )
    windows = only(rf"Assertion failed: {NLL}, file C:\w\Loss.cu, line 115")
    assert (windows["condition"], windows["file"], windows["line"]) == (NLL, r"C:\w\Loss.cu", "115")
    memory = only(
        "[FATAL] SymmetricMemory::barrier: rank 0 failed to send signal to rank 1 on channel 0 after 9 milliseconds"
    )
    assert memory["function"] == "SymmetricMemory::barrier"


@pytest.mark.parametrize(
    "text",
    [
        "transformer block: [attention, mlp], thread: 8",
        "block: [0,0,0], thread: [1,0,0] started",
        "AssertionError: block: expected 3",
        "x.cpp:3: int main(): Assertion `x' failed.",
        "/app/csrc/ops.cu:41: warning: variable declared but never referenced in this function at all",
        "/app/csrc/ops.cu:41:12: error: expected primary-expression before the token that stands here",
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
    ],
)
def test_near_misses(text: str) -> None:
    """Texts that only look like a device-side assertion are none."""
    assert events(text) == []


def test_repeat_is_kept() -> None:
    """A line that stands for many keeps its count."""
    repeat = Repeat(count=500, last=600, ranges={})
    text = f"a/Loss.cu:9: f: block: [0,0,0], thread: [0,0,0] Assertion `{NLL}` failed."
    (event,) = device_assert.DEVICE_ASSERT.parse(line(text, repeat=repeat))
    assert event.repeat is repeat


def test_hostile_lines() -> None:
    """Long lines of nearly matching text end soon and raise nothing."""
    for unit in (
        "block: [",
        "Assertion `",
        "block: [0,0,0], thread: [0,0,0] ",
        "a.cu:1: ",
        ":\\",
        "Assertion failed: ",
    ):
        text = unit * (16_384 // len(unit))
        assert isinstance(events(text), list)
