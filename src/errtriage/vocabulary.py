"""The closed lists that knowledge entries choose from: tags, fields of events, tests, derived facts, conditions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# What an entry is about. A tag can be the target of `leads_to`, so it names a family that fails together.
TAGS: Mapping[str, str] = MappingProxyType(
    {
        "aftermath": "what stands around a failed process says of it: launcher tables, closed peers, timeouts, signals",
        "api": "a call that the library does not take, or no longer takes",
        "autograd": "gradients, graphs, backward",
        "build": "compiling extensions and packages",
        "checkpoint": "saving and loading of states",
        "compile": "torch.compile, Triton, export",
        "crash": "a signal or an abort ended the process",
        "cuda": "the CUDA runtime and its libraries",
        "data": "the data set, its values and files",
        "dataloader": "worker processes that load data",
        "device": "tensors on unlike devices",
        "device-assert": "an assertion inside a kernel failed",
        "device-late": "a device error that a later call reports, so that its line is not the place",
        "distributed": "several ranks",
        "dtype": "unlike or unsupported data types",
        "environment": "what is installed, and how it fits together",
        "files": "paths, rights, disks",
        "framework": "raised by a trainer or wrapper around the training loop",
        "gpu-memory": "memory of the device",
        "hardware": "a broken or lost device, link or node",
        "host-memory": "memory of the machine",
        "hub": "downloads of models and data sets",
        "indexing": "an index outside of what it indexes",
        "labels": "targets of a loss",
        "launcher": "torchrun and others that start ranks",
        "loss": "the loss function and how it is called",
        "metric": "seen in the values that the run printed",
        "network": "connections between machines",
        "nccl": "NCCL and the collectives on it",
        "nonfinite": "NaN or infinity that goes on into the run",
        "numerics": "values left the range of their type",
        "optimizer": "steps, rates, scalers",
        "process": "processes, threads, pickling between them",
        "python": "plain Python mistakes",
        "scheduler": "Slurm, Kubernetes and others that give machines out",
        "shapes": "sizes of tensors that do not fit",
        "silent": "nothing is raised",
        "time": "a limit of time was reached",
        "tokenizer": "text to ids and back",
        "xid": "an error number of the NVIDIA driver",
    }
)

_MEMORY = ("tried", "total", "free", "reserved", "allocated", "idle", "process", "others", "device", "oom")

_COLLECTIVE = (
    "group", "group_name", "rank", "seq", "op", "numel_in", "numel_out", "shape", "timeout_ms", "ran_ms", "enqueued",
    "completed", "missing", "other_rank", "other_op", "other_seq", "other_shape", "differs", "keys", "peer",
    "nccl_error", "last_error", "errno",
)  # fmt: skip

# Fields by event kind, as patterns fill them (docs/design.md, section 3).
EVENT_FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "exception": (
            "type", "module", "message", "hint", "origin", "worker", "thread", "spawned", "ignored", "notes", "code",
            "exitcode", "signal", *_MEMORY, *_COLLECTIVE, "test", "stopped_in",
        ),
        "warning": ("category", "message", "file", "line", "code", "ignored", *_MEMORY),
        "device_assert": ("file", "line", "function", "condition", "op", "message", "block", "thread"),
        "cuda_error": ("message", "code", "api", "file", "line", "watchdog", "rank", *_MEMORY),
        "cpp_error": ("type", "message", "code", *_MEMORY, *_COLLECTIVE),
        "torch_log": ("level", "file", "line", "message", "code", *_MEMORY, *_COLLECTIVE),
        "native_crash": ("signal", "message"),
        "process_exit": ("signal", "code", "message", "pid"),
        "collective": (
            "phase", "message", "code", "reason", "host", "port", "ranks", "missed", "seconds", "file", *_COLLECTIVE,
            "slow", "retry",
        ),
        "nccl": ("level", "message", "host", "pid", "device", "file", "line", "code", "peer"),
        "launcher": (
            "what", "launcher", "name", "rank", "local_rank", "exitcode", "signal", "pid", "host", "message", "root",
            "time", "task", "oom", "left", "error",
            "binary", "crashed", "from", "rendezvous", "state", "stuck", "total",
        ),
        "scheduler": (
            "system", "reason", "message", "job", "unit", "host", "task", "signal", "code", "name", "limit", "resource",
            "process", "pid",
            "step", "used",
        ),
        "kernel_log": (
            "what", "xid", "xid_name", "xid_meaning", "xid_blame", "xid_action", "process", "pid", "memory", "scope",
            "cgroup", "device", "library", "seconds", "severity", "reason", "client", "module", "message",
            "address", "error", "trap", "unit",
        ),
        "build_error": ("tool", "file", "line", "message"),
        "environment": ("name", "version"),
        "metric": ("label", "name", "split", "value", "step", "epoch"),
        "progress": ("what", "step", "total", "epoch", "path"),
        "attempt": ("what", "command", "program"),
        "text": ("message",),
    }
)  # fmt: skip

# Fields that every event of the kind has, so that a text may rely on them.
SURE_FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "exception": ("type",),
        "warning": ("category", "message"),
        "device_assert": ("condition",),
        "text": ("message",),
    }
)

RANGED_FIELDS = ("block", "thread", "index", "rank")

# Tests on a metric (the keys of `series_tests.TESTS`), each with the values that its hits always give to texts beside
# those of SURE_SERIES_VALUES.
SERIES_TESTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "nonfinite": ("kind",),
        "nonfinite_beside": ("kind",),
        "zero_hides_nan": ("other", "other_line"),
        "sudden": ("before",),
        "double_softmax_floor": ("classes", "floor", "level"),
        "chance": ("classes", "level"),
        "constant": ("times",),
        "negative": ("lowest",),
        "diverging": ("before",),
        "spike": ("before",),
        "oscillating": ("turns",),
        "rising": ("before", "level"),
        "plateau": ("level",),
        "near": ("level",),
        "at_minimum": ("highest",),
        "zero": ("times",),
        "split_gap": ("factor",),
    }
)
SERIES_PARAMETERS = (
    "points", "digits", "factor", "level", "share", "band", "from", "rising", "split",
)  # fmt: skip
# What a hit on a series gives to texts. Those of SURE_SERIES_VALUES are always known.
SURE_SERIES_VALUES = ("metric", "value", "step", "points", "line")
SERIES_VALUES = (
    *SURE_SERIES_VALUES, "split", "kind", "before", "last_value", "last_step", "lowest", "highest", "level", "floor",
    "classes", "accuracy", "factor", "times", "turns", "other", "other_line",
)  # fmt: skip

# Facts made after collapse, each with its fields.
DERIVED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "collective_mismatch": (
            "group", "seq", "rank", "op", "numel", "other_rank", "other_op", "other_numel", "other_seq", "what",
        ),
        "rank_behind": ("group", "rank", "seq", "op", "others_seq", "ranks", "what"),
        "rank_absent": ("group", "rank", "ranks", "world_size", "what"),
    }
)  # fmt: skip

# Facts about the run: counts, and versions by package name.
COUNT_FACTS = (
    "world_size", "classes", "batch_size", "last_step", "total_steps", "last_checkpoint", "attempts",
)  # fmt: skip
VERSION_FACTS = (
    "accelerate", "apex", "bitsandbytes", "cuda", "cudnn", "datasets", "deepspeed", "driver", "flash_attn", "gcc",
    "keras", "lightning", "mmcv", "mmdet", "mmengine", "nccl", "numpy", "os", "pandas", "peft", "python", "ray",
    "scipy", "tensorflow", "tokenizers", "torch", "torchaudio", "torchvision", "transformers", "triton", "trl",
    "ultralytics", "vllm", "xformers",
)  # fmt: skip
FACTS = (*COUNT_FACTS, *VERSION_FACTS)

# What texts may name beside captures, fields and facts. `count` is always known.
PLACES = ("where", "rank", "count")

# Words of nearly every log of a run: a `log` condition may look for them, but they pick no lines. Of `[Ss]kipped` the
# part that is no choice counts.
COMMON_WORDS = frozenset(
    {
        "accuracy",
        "average",
        "batch",
        "cache",
        "checkpoint",
        "checks",
        "complete",
        "config",
        "dataset",
        "device",
        "epoch",
        "error",
        "finished",
        "generator",
        "hidden",
        "images",
        "instances",
        "kipped",
        "kipping",
        "learning",
        "lightning",
        "loaded",
        "loading",
        "memory",
        "metric",
        "model",
        "module",
        "network",
        "optimizer",
        "padding",
        "parameter",
        "precision",
        "recision",
        "running",
        "sample",
        "samples",
        "saving",
        "sequence",
        "spectral",
        "started",
        "tensor",
        "tokens",
        "train",
        "training",
        "ttention",
        "update",
        "valid",
        "validation",
        "warning",
        "weight",
        "worker",
        "workers",
    }
)

# Rules of source_check, which `source` and `lint` name.
LINT_RULES = (
    "softmax-before-cross-entropy", "log-softmax-before-cross-entropy", "sigmoid-before-bce-with-logits",
    "nll-without-log-softmax", "bce-without-sigmoid", "softmax-over-wrong-dim", "loss-class-called-as-function",
    "labels-not-zero-one", "labels-from-one", "shapes-broadcast-in-loss", "bare-squeeze", "zero-grad-missing",
    "graph-cut", "optimizer-before-model", "optimizer-before-move", "scheduler-before-optimizer", "eval-mode-missing",
    "train-mode-missing", "shuffle-missing", "division-by-std", "sqrt-without-epsilon", "log-of-probability",
    "plain-numpy-on-masked-array",
)  # fmt: skip

CONDITIONS = ("field", "compare", "frame", "log", "entry", "range", "metric", "fact", "lint")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
RANGE_BOUNDS = ("distinct_at_most", "distinct_at_least", "low", "high")
LINK_SAME = ("rank", "pid", "channel", "process", "none")
LINK_ORDER = ("any", "after")
