"""Names of calls that leave a value, or a model, as it is."""

from __future__ import annotations

# Calls that give back (or wrap) the module that they are given.
WRAPPERS = frozenset(
    {
        "torch.compile", "torch.jit.script", "torch.nn.DataParallel", "torch.nn.parallel.DataParallel",
        "torch.nn.parallel.DistributedDataParallel", "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
        "torch.distributed.fsdp.FullyShardedDataParallel", "copy.deepcopy",
    }
)  # fmt: skip
WRAPPING_METHODS = frozenset({"to", "cuda", "cpu", "half", "float", "double", "bfloat16", "train", "eval", "apply"})
PREPARING_METHODS = frozenset({"prepare", "setup", "setup_module", "prepare_model", "initialize"})
# Methods and functions whose result holds the same values, perhaps in another shape, type or place.
SAME_VALUES = frozenset(
    {
        "view", "reshape", "squeeze", "unsqueeze", "flatten", "float", "double", "half", "to", "cuda", "cpu",
        "contiguous", "transpose", "permute", "clone", "type", "t", "ravel", "view_as", "reshape_as", "expand",
        "expand_as", "unflatten", "astype", "bfloat16", "requires_grad_", "type_as",
    }
)  # fmt: skip
SAME_FUNCTIONS = frozenset(f"torch.{name}" for name in SAME_VALUES) | {"torch.autograd.Variable", "numpy.asarray"}
