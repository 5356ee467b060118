"""Versions and sizes that a run prints of its surroundings."""

from __future__ import annotations

import pytest

from errtriage.patterns import environment
from events_of import events_of


def facts(text: str) -> dict[str, str]:
    """Return what each fact is said to be first, pattern by pattern as none keeps a line from another."""
    found: dict[str, str] = {}
    for pattern in environment.PATTERNS:
        for event in events_of([pattern], text):
            found.setdefault(event.fields["name"], event.fields["version"])
    return found


COLLECT_ENV = """\
PyTorch version: 2.1.0+cu118
Is debug build: False
CUDA used to build PyTorch: 11.8
ROCM used to build PyTorch: N/A
OS: Ubuntu 20.04.6 LTS (x86_64)
GCC version: (Ubuntu 9.4.0-1ubuntu1~20.04.2) 9.4.0
Python version: 3.10.12 (main, Jul  5 2023, 18:54:27) [GCC 11.2.0] (64-bit runtime)
CUDA runtime version: 11.8.89
Nvidia driver version: 525.85.12
cuDNN version: Probably one of the following:
[pip3] numpy==1.24.1
[conda] torchvision               0.16.0                   pypi_0    pypi"""


def test_collect_env() -> None:
    """The output of torch.utils.collect_env is read."""
    assert facts(COLLECT_ENV) == {
        "torch": "2.1.0+cu118",
        "cuda": "11.8",
        "gcc": "9.4.0",
        "python": "3.10.12",
        "driver": "525.85.12",
        "numpy": "1.24.1",
        "torchvision": "0.16.0",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch.__version__  = 2.6.0+cu124", {"torch": "2.6.0+cu124", "cuda": "12.4"}),
        ("YOLO Python-3.1.9 torch-1.13.1+cu117 CUDA:0", {"python": "3.1.9", "torch": "1.13.1+cu117", "cuda": "11.7"}),
        ("    PyTorch: 1.10.0\n    MMEngine: 0.7.4", {"torch": "1.10.0", "mmengine": "0.7.4"}),
        ("torch version .................... 2.1.0", {"torch": "2.1.0"}),
        ("Successfully installed numpy-1.26.0 torch-2.1.0 x-1.0", {"numpy": "1.26.0", "torch": "2.1.0"}),
        ("Requirement already satisfied: torch>=1.8 in /e/python3.12/x (from x>=2) (2.6.0)", {"torch": "2.6.0"}),
        ("a 1 requires numpy==1.9, but you have numpy 2.1.0 which is incompatible.", {"numpy": "2.1.0"}),
        ("NCCL version 2.18.1+cuda12.1", {"nccl": "2.18.1"}),
        ("n01:7:7 [0] NCCL INFO NCCL version 2.21.5+cuda12.4", {"nccl": "2.21.5"}),
        ("Python 3.6.2 |Anaconda| (default, Jul 20 2017, 13:51:32)", {"python": "3.6.2"}),
        ("Overriding model.yaml nc=80 with nc=3", {"classes": "3"}),
        ("Namespace(batch_size=6, classes=2, world_size=4)", {"classes": "2", "world_size": "4", "batch_size": "6"}),
        ("  Instantaneous batch size per device = 8", {"batch_size": "8"}),
    ],
)  # fmt: skip
def test_banners(text: str, expected: dict[str, str]) -> None:
    """Banners, package managers and printed settings tell what runs."""
    assert facts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "In PyTorch 2.6, we changed the default value of the `weights_only` argument",
        "requires torch>=2.0.0",
        "x 1.0 requires torch==1.9.0",
        "PyTorch 2.0.1 is required",
        "Collecting torch==2.1.0",
        "transformers/modeling_utils.py:100: FutureWarning: deprecated in version 4.40.0",
        "loss 2.1.0",
        "world_size = dist.get_world_size()",
        "ckpt_world_size_8_rank_6.pt",
        "eval_batch_size=4",
        "batch_size: 2.5",
    ],
)
def test_near_misses(text: str) -> None:
    """What is wanted, offered, forbidden or merely named is no fact."""
    assert facts(text) == {}
