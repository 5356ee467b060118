"""Logs of the faults that the tool exists for, made to measure: the length of the spam, the evidence in quoted code."""

from __future__ import annotations

HINTS = """\
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1.
Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.
"""

OVERFLOW = """\
/home/u/venv/lib/python3.10/site-packages/numpy/core/_methods.py:179: RuntimeWarning: overflow encountered in reduce
  ret = umr_sum(arr, axis, dtype, out, keepdims, where=where)
/home/u/proj/data.py:48: RuntimeWarning: invalid value encountered in true_divide
  x = x - x.mean() / spread
"""


def bce_spam(lines: int, *, path: str = "../aten/src/ATen/native/cuda/Loss.cu", kernel: str = "operator(): ") -> str:
    """Assertion lines of a BCE loss, over blocks of 256 threads."""
    return "".join(
        f"{path}:115: {kernel}block: [{n // 256},0,0], thread: [{n % 256},0,0] "
        "Assertion `input_val >= zero && input_val <= one` failed.\n"
        for n in range(lines)
    )


def traceback(error: str, *, code: str = "return loss.item()") -> str:
    """A traceback through three functions of the user's train.py."""
    return f"""\
Traceback (most recent call last):
  File "/home/u/proj/train.py", line 91, in <module>
    main()
  File "/home/u/proj/train.py", line 84, in main
    total += step(batch)
  File "/home/u/proj/train.py", line 57, in step
    {code}
{error}
"""


def device_error(code: str = "return loss.item()") -> str:
    """The late Python error of a device-side assertion."""
    return traceback("RuntimeError: CUDA error: device-side assert triggered\n" + HINTS.rstrip(), code=code)


def overflow_then_assert(lines: int) -> str:
    """Row A1: warnings, spam, late error."""
    return "epoch 1 step 10 loss 0.6931\nepoch 1 step 20 loss 0.6811\n" + OVERFLOW + bce_spam(lines) + device_error()


WINDOWS = "C:\\w\\b\\windows\\pytorch\\aten\\src\\ATen\\native\\cuda\\Loss.cu"


def windows_overflow_then_assert(lines: int, *, backslashes: bool = True) -> str:
    """Row A3: the assert lines stand glued behind an IPython prompt, without a kernel name, from Windows."""
    path = WINDOWS if backslashes else WINDOWS.replace("\\", "")
    warning = r"C:\Users\u\proj\data.py:48: RuntimeWarning: overflow encountered in reduce" + "\n"
    warning += "  m = x.sum() / x.size\n"
    error = (
        "---------------------------------------------------------------------------\n"
        "RuntimeError                              Traceback (most recent call last)\n"
        "Cell In[6], line 3\n"
        "      1 out = net(x)\n"
        "      2 loss = crit(out, y)\n"
        "----> 3 print(loss.item())\n\n"
        "RuntimeError: CUDA error: device-side assert triggered\n" + HINTS
    )
    if not backslashes:
        warning = warning.replace("\\", "")
    return warning + error + "In [7]: " + bce_spam(lines, path=path, kernel="")


CPU_NOTEBOOK = """\
---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
<ipython-input-9-3c2a1b6d4e5f> in <module>
      1 out = net(x)
      2 crit = nn.BCELoss()
----> 3 loss = crit(out, y)
      4 loss.backward()

~/miniconda3/lib/python3.8/site-packages/torch/nn/modules/module.py in _call_impl(self, *input, **kwargs)
    887         else:
--> 889             result = self.forward(*input, **kwargs)

~/miniconda3/lib/python3.8/site-packages/torch/nn/functional.py in binary_cross_entropy(input, target, weight)
-> 2762     return torch._C._nn.binary_cross_entropy(input, target, weight, reduction_enum)

RuntimeError: all elements of input should be between 0 and 1
"""

PLACEHOLDERS = """\
xxx.py:xxx: RuntimeWarning: overflow encountered in reduce
xxx.py:xxx: RuntimeWarning: invalid value encountered in true_divide
xxx.cu:xxx: block: [xxx,0,0], thread: [xxx,0,0] Assertion 'input_val >= zero && input_val <= one' failed.
xxx.cu:xxx: block: [xxx,0,0], thread: [xxx,0,0] Assertion 'input_val >= zero && input_val <= one' failed.
RuntimeError: CUDA error: device-side assert triggered
"""

# The same assertion with the evidence of one cause each, in code that the log quotes.
NO_EVIDENCE = bce_spam(64) + device_error()
LABELS_FROM_ONE = (
    "labels: min 1 max 2\n" + bce_spam(64) + device_error("loss = F.binary_cross_entropy(model(x), y)  # y in 1..2")
)
DIVISION_BY_STD = (
    "/home/u/proj/data.py:48: RuntimeWarning: invalid value encountered in true_divide\n"
    "  x = (x - x.mean(0)) / x.std(0)\n" + bce_spam(64) + device_error()
)
SQRT_AT_ZERO = bce_spam(64) + device_error("std = torch.sqrt(var); p = Normal(mu, std).cdf(x)")
MASK_LOST = (
    "/home/u/venv/lib/python3.10/site-packages/numpy/core/_methods.py:179: RuntimeWarning: overflow encountered in "
    "reduce\n"
    "  ret = umr_sum(arr, axis, dtype, out, keepdims, where=where)\n"
    "/home/u/proj/grid.py:31: RuntimeWarning: invalid value encountered in subtract\n"
    "  field = np.concatenate(masked_fields) - masked_fields[0].mean()\n" + bce_spam(64) + device_error()
)

BUFFERED_TWIN_OF_A1 = (
    OVERFLOW + bce_spam(200) + device_error() + "".join(f"epoch 1 step {n}0 loss 0.68{n}\n" for n in range(1, 9))
)
