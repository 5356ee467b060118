"""What a run says of its surroundings: versions of packages, sizes of the job, the data and the batch.

Conservative: a version counts only where a line says that it is what runs, not where it is wanted or offered.
"""

from __future__ import annotations

from errtriage import TYPE_CHECKING
from errtriage.model import Event, Line
from errtriage.patterns.base import LinePattern, Make, event

if TYPE_CHECKING:
    import re

_VERSION = r"(?P<version>\d{1,4}\.\d{1,4}[\w.]{0,24}(?:\+[\w.]{1,24})?)"
# As printed, in lower case and without separators: the name of the fact.
_NAMES = {
    "pytorch": "torch", "torch": "torch", "numpy": "numpy", "transformers": "transformers", "python": "python",
    "pytorchlightning": "lightning", "lightning": "lightning", "deepspeed": "deepspeed", "accelerate": "accelerate",
    "torchvision": "torchvision", "torchaudio": "torchaudio", "triton": "triton", "xformers": "xformers",
    "flashattn": "flash_attn", "bitsandbytes": "bitsandbytes", "peft": "peft", "trl": "trl", "datasets": "datasets",
    "tokenizers": "tokenizers", "mmcv": "mmcv", "mmcvfull": "mmcv", "mmdet": "mmdet", "mmengine": "mmengine",
    "ultralytics": "ultralytics", "scipy": "scipy", "pandas": "pandas", "tensorflow": "tensorflow", "keras": "keras",
    "ray": "ray", "vllm": "vllm", "apex": "apex", "detectron2": "detectron2",
}  # fmt: skip
_NAME = (
    r"(?P<name>[Pp]y[Tt]orch(?:[-_ ][Ll]ightning)?|[Tt]orch(?:[Vv]ision|[Aa]udio)?|[Nn]um[Pp]y|[Tt]ransformers|"
    r"[Pp]ython|[Ll]ightning|[Dd]eep[Ss]peed|[Aa]ccelerate|[Tt]riton|x[Ff]ormers|flash[-_]attn|bitsandbytes|PEFT|peft|TRL|trl|"
    r"[Dd]atasets|[Tt]okenizers|MMCV|mmcv(?:-full)?|MMDet|mmdet|MMEngine|mmengine|[Uu]ltralytics|[Ss]ci[Pp]y|pandas|"
    r"[Tt]ensor[Ff]low|[Kk]eras|[Rr]ay|v[Ll][Ll][Mm]|apex|detectron2)"
)
_END = r"(?=[\s,;:)\]\"'@]|$)"


def _fact(line: Line, name: str, version: str) -> Event:
    return event("environment", line, {"name": name, "version": version.rstrip(".")})


def _make_version(line: Line, found: re.Match[str]) -> Event | None:
    printed = "".join(found["name"].lower().replace("_", "-").replace(" ", "-").split("-"))
    name = _NAMES.get(printed)
    return _fact(line, name, found["version"]) if name is not None else None


def _make_installed(line: Line, found: re.Match[str]) -> Event | None:
    return _make_version(line, found) if "Successfully installed" in line.text else None


def _named(name: str) -> Make:
    """Return a maker of facts of this name, whose value is the one group that matched."""

    def make(line: Line, found: re.Match[str]) -> Event | None:
        value = next(filter(None, found.groups()), None)
        return _fact(line, name, value) if value is not None else None

    return make


# `torch.__version__ = 2.1.0`, `PyTorch version: 2.1.0+cu118`, `"transformers_version": "4.31.0"`.
SAID = LinePattern(
    kind="environment",
    literals=("version",),
    regex=rf"(?<![\w.]){_NAME}(?:\.__version__|[ _]version)[\"']?[ :=.]{{1,40}}[\"']?v?{_VERSION}{_END}",
    make=_make_version,
    several=True,
    examples=(
        "torch.__version__  =  1.2.0",
        "PyTorch version: 2.1.0+cu118",
        '  "transformers_version": "4.31.0",',
        "torch version .................... 2.1.0",
        "Python version: 3.10.12 (main, Jun 11 2023) (64-bit runtime)",
    ),
    ignore=("requires torch version >= 2.0", "torch.version.cuda", "This needs a Python version of 3.8 or later"),
)

# A line of its own or of a list: `torch==2.1.0`, `    PyTorch: 1.10.0`, `Python 3.10.12 (main, …`.
LISTED = LinePattern(
    kind="environment",
    literals=(
        "torch", "Torch", "Python", "python", "numpy", "NumPy", "transformers", "ightning", "eepspeed", "eepSpeed",
        "triton", "MMCV", "MMEngine", "mmcv", "mmdet", "flash", "bitsandbytes", "accelerate", "peft", "vllm",
    ),
    regex=(
        rf"^(?:\[(?:pip3?|conda)\] |[\s*#|│-]{{0,12}}){_NAME}(?: |: ?|=|==| = |-| {{2,40}})v?"
        rf"(?P<version>\d{{1,4}}\.\d{{1,4}}\.[\w.]{{1,24}}(?:\+[\w.]{{1,24}})?){_END}"
        r"(?! (?:is|or|and|has|have|requires|does|will|needs|introduced|only|cannot|can|which|->|to|from)\b)"
    ),
    make=_make_version,
    sampled=True,
    examples=(
        "torch==2.1.0+cu118",
        "    PyTorch: 1.10.0",
        "Python 3.10.12 (main, Jun 11 2023, 05:26:28) [GCC 11.4.0] on linux",
        "[pip3] numpy==1.24.1",
        "PyTorch                          1.10.0+cu113 @/opt/conda/lib/python3.8/site-packages/torch",
        "transformers 4.36.2",
    ),
    ignore=("PyTorch 2.6 changed the default", "torch 2.0.1 is required", "torch>=2.0.0", "python train.py --lr 0.1.0"),
)  # fmt: skip

# In the middle of a line, where the words around it say that it is what runs.
BANNER = LinePattern(
    kind="environment",
    literals=(
        " torch-",
        "-- Python ",
        "you have ",
        "sing torch",
        "sing PyTorch",
        "already satisfied: ",
        "DeepSpeed info: version",
    ),
    regex=(
        rf"(?:(?<=-- )(?=Python )|you have |[Uu]sing (?=\S{{2,20}} \d\.\d+\.)|"
        rf"(?<= )(?=torch-\S+ (?:CUDA|CPU|MPS))|(?<= )(?=Python-\S+ torch-)|"
        rf"already satisfied: (?=\S{{1,80}} in \S{{1,300}} .{{0,300}}\((?=[^()]{{1,40}}\)$))){_NAME}"
        rf"(?:[ -]|[<>=!~,.\d\w]{{0,80}} in .{{1,600}}\()v?{_VERSION}{_END}"
    ),
    make=_make_version,
    several=True,
    examples=(
        "platform linux -- Python 3.10.12, pytest-7.4.0, pluggy-1.2.0",
        "Ultralytics YOLOv8.0.20 Python-3.8.10 torch-1.13.1+cu117 CUDA:0 (Tesla T4, 15102MiB)",
        "Using torch 1.8.0+cu101 CUDA:0 (Tesla P100-PCIE-16GB, 16280MB)",
        "fairseq 0.12 requires torch==1.9, but you have torch 2.1.0 which is incompatible.",
        "Requirement already satisfied: torch in /opt/conda/lib/python3.12/site-packages (from flash-attn) (2.6.0)",
    ),
    ignore=("if you have torch installed", "Requirement already satisfied: setuptools in /opt (60.0)"),
)

INSTALLED = LinePattern(
    kind="environment",
    literals=("Successfully installed",),
    regex=rf"(?<=\s){_NAME}-{_VERSION}(?=\s|$)",
    make=_make_installed,
    several=True,
    examples=("Successfully installed filelock-3.12 numpy-1.26.0 torch-2.1.0",),
    ignore=("Successfully installed cargo",),
)

CUDA_OF_TORCH = LinePattern(
    kind="environment",
    literals=("used to build PyTorch", "torch cuda version", "torch.version.cuda"),
    regex=r"(?:CUDA used to build PyTorch|torch cuda version|torch\.version\.cuda)[ :=.]{1,40}(\d{1,2}\.\d{1,2})\b",
    make=_named("cuda"),
    examples=(
        "CUDA used to build PyTorch: 11.8",
        "torch cuda version ............... 11.8",
        "torch.version.cuda = 12.1",
    ),
    ignore=("ROCM used to build PyTorch: N/A",),
)

# The wheel's own name tells which CUDA it was built with: `+cu118` is 11.8.
CUDA_OF_WHEEL = LinePattern(
    kind="environment",
    literals=("+cu",),
    regex=r"[Tt]orch(?:\.?\w{1,12})?[^\w\n]{1,40}\d{1,2}\.\d{1,2}\.\d{1,2}\w{0,20}\+cu(?P<major>\d{2})(?P<minor>\d)\b",
    make=lambda line, found: _fact(line, "cuda", f"{found['major']}.{found['minor']}"),
    examples=("torch==2.1.0+cu118", "Python-3.8.10 torch-1.13.1+cu117 CUDA:0", "PyTorch    1.10.0+cu113 @/opt"),
    ignore=("detectron2 0.6+cu111",),
)

DRIVER = LinePattern(
    kind="environment",
    literals=("river version", "river Version"),
    regex=r"(?:NVIDIA-SMI .{1,40} |Nvidia |NVIDIA |GPU )?[Dd]river [Vv]ersion: ?(\d{3}\.\d{1,3}(?:\.\d{1,3})?)\b",
    make=_named("driver"),
    examples=(
        "| NVIDIA-SMI 525.85.12    Driver Version: 525.85.12    CUDA Version: 12.0     |",
        "Nvidia driver version: 525.85.12",
    ),
    ignore=("CUDA driver version is insufficient",),
)

NCCL = LinePattern(
    kind="environment",
    literals=("NCCL version",),
    regex=r"NCCL version:? ?(\d\.\d{1,2}(?:\.\d{1,2})?)",
    make=_named("nccl"),
    examples=("NCCL version 2.18.1+cuda12.1",),
    ignore=("NCCL version unknown",),
)

TOOLKIT = LinePattern(
    kind="environment",
    literals=("Cuda compilation tools",),
    regex=r"Cuda compilation tools, release (\d{1,2}\.\d{1,2})",
    make=_named("nvcc"),
    examples=("Cuda compilation tools, release 10.1, V10.1.243",),
    ignore=("Cuda compilation tools are missing",),
)

GCC = LinePattern(
    kind="environment",
    literals=("gcc (", "GCC version"),
    regex=r"(?:gcc|GCC version:) ?\([^()]{1,80}\) (\d{1,2}\.\d{1,2}(?:\.\d{1,2})?)",
    make=_named("gcc"),
    examples=("gcc (Ubuntu 9.4.0-1ubuntu1) 9.4.0", "GCC version: (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0"),
    ignore=("[GCC 11.4.0] on linux",),
)

CUDNN = LinePattern(
    kind="environment",
    literals=("CuDNN", "cuDNN version", "cudnn.version"),
    regex=r"(?:^\s{0,12}-? ?CuDNN |[Cc]u[Dd][Nn][Nn] [Vv]ersion: ?|cudnn\.version\(\)[ :=]{1,4})(\d[\d.]{1,12})\b",
    make=_named("cudnn"),
    examples=("  - CuDNN 8.2", "cuDNN version: 8902", "torch.backends.cudnn.version(): 8700"),
    ignore=("cuDNN version: Probably one of the following:",),
)

WORLD_SIZE = LinePattern(
    kind="environment",
    literals=("orld size", "orld_size", "MEMBER: ", "Starting with "),
    regex=(
        r"(?<![\w.])(?:dist_)?[Ww]orld[ _]size[\"']?(?: ?[:=] ?| is | )(\d{1,6})\b(?![\w.])|"
        r"MEMBER: \d{1,6}/(\d{1,6})\b|Starting with (\d{1,6}) process(?:es)?\b"
    ),
    make=_named("world_size"),
    examples=(
        "Namespace(batch_size=16, world_size=8)",
        "> got rank 0 and world size 4 ...",
        "initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/8",
        "All distributed processes registered. Starting with 8 processes",
    ),
    ignore=("model_world_size_8_rank_6.pt", "world_size = dist.get_world_size()"),
)

CLASSES = LinePattern(
    kind="environment",
    literals=("num_classes", "n_classes", "num_labels", "nc=", "umber of classes", "classes="),
    regex=(
        r"with nc=(\d{1,7})\b|(?<![\w.])(?:num_classes|n_classes|num_labels|classes|[Nn]umber of classes)[\"']?"
        r"(?: ?[:=] ?| is )(\d{1,7})(?![\w.\[])"
    ),
    make=_named("classes"),
    examples=(
        "Overriding model.yaml nc=80 with nc=3",
        "Namespace(batch_size=8, classes=20, data_dir='x')",
        "Number of classes: 10",
    ),
    ignore=("num_classes, off_value, device=dev", "out_classes=3", "n_classes = len(names)"),
)

BATCH_SIZE = LinePattern(
    kind="environment",
    literals=("atch size", "atch_size", "atch-size"),
    regex=(
        r"(?<![\w.-])(?:--|[Ii]nstantaneous |per[_-](?:device|gpu)[_-](?:train[_-])?)?[Bb]atch[ _-]size"
        r"(?: per (?:GPU|device))?[\"']?(?:\s{0,8}[:=]\s{0,8}| is | )(\d{1,7})(?![\w.])"
    ),
    make=_named("batch_size"),
    examples=(
        "Namespace(batch_size=16, data='x')",
        "  Instantaneous batch size per device = 8",
        "$ python train.py --batch-size 32",
    ),
    ignore=("batch_size=len(x)", "eval_batch_size=4", "batch size mismatch"),
)

PATTERNS = (
    SAID, LISTED, BANNER, INSTALLED, CUDA_OF_TORCH, CUDA_OF_WHEEL, DRIVER, NCCL, TOOLKIT, GCC, CUDNN, WORLD_SIZE,
    CLASSES, BATCH_SIZE,
)  # fmt: skip
