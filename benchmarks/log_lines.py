"""What the lines of made-up logs are made of."""

# Lines as failing runs print them; {n} is a number, {w} a word, {f} a float.
FAULTS = (
    "RuntimeError: CUDA error: device-side assert triggered",
    "RuntimeError: CUDA error: an illegal memory access was encountered",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {f} GiB. GPU 0 has a total capacity of 79.15 GiB",
    "IndexError: Target {n} is out of bounds.",
    "IndexError: index {n} is out of bounds for dimension 0 with size 10",
    "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x{n} and 512x10)",
    "RuntimeError: The size of tensor a ({n}) must match the size of tensor b (128) at non-singleton dimension 1",
    "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn",
    "ValueError: Expected more than 1 value per channel when training, got input size torch.Size([1, {n}])",
    "train.py:{n}: RuntimeWarning: overflow encountered in exp",
    "norm.py:{n}: RuntimeWarning: invalid value encountered in divide",
    "loss.py:{n}: UserWarning: Using a target size (torch.Size([{n}])) that is different to the input size",
    "FileNotFoundError: [Errno 2] No such file or directory: '/data/{w}/{n}.npy'",
    "OSError: [Errno 28] No space left on device",
    "KeyError: '{w}.weight'",
    "AttributeError: 'NoneType' object has no attribute '{w}'",
    "torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:{n}",
    "slurmstepd: error: *** JOB 4215 ON node0{n} CANCELLED AT 2026-03-01T10:00:00 DUE TO TIME LIMIT ***",
    "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to {f}",
    "epoch {n} train loss: nan",
)
ASSERTIONS = (
    ("../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d", "t >= 0 && t < n_classes"),
    ("../aten/src/ATen/native/cuda/Indexing.cu:1292: indexSelectLargeIndex", "srcIndex < srcSelectDimSize"),
    ("../aten/src/ATen/native/cuda/Loss.cu:92: operator()", "input_val >= zero && input_val <= one"),
    ("../aten/src/ATen/native/cuda/ScatterGatherKernel.cu:144: operator()",
     'idx_dim >= 0 && idx_dim < index_size && "index out of bounds"'),
)  # fmt: skip
WORDS = ("encoder", "decoder", "head", "embed", "blocks", "attn", "mlp", "norm")

# Lines of a healthy run with their weights: 9 is a random digit, § the step, @ the time of day of the step.
ORDINARY = (
    (20, "step=§ train/loss=9.99999 train/acc=0.9999 lr=9.999e-04 mem=99.9GiB"),
    (16, "2026-03-01 @,999 - trainer - INFO - epoch 3 step § loss=9.9999 grad_norm=9.999 tokens/s=49999"),
    (14, "{'loss': 9.9999, 'grad_norm': 9.999999, 'learning_rate': 9.99999999e-05, 'epoch': 9.99}"),
    (12, "Epoch: [3][§/5004]\tTime  0.999 ( 0.999)\tLoss 9.9999e+00 (9.9999e+00)\tTop1  99.99\tTop5  99.99"),
    (12, "iter §: loss 9.9999, time 999.99ms, mfu 99.99%"),
    (6, "gpu0§:99999:99999 [9] NCCL INFO Channel 09/0 : 9[9] -> 9[9] via P2P/IPC"),
    (6, "I0312 @.999999 99999 torch/_dynamo/eval_frame.py:999] [§/0] cache hit, guards 99"),
    (4, "step §: mean_abs_error=0.99999 word_error_rate=0.9999 eval_loss=9.9999 perplexity=99.999"),
    (4, "(Worker pid=99999, ip=10.0.99.99) {'train_loss': 9.99999, 'step': §, 'seconds': 999.99}"),
    (3, "Step § | val/f1 0.9999 | val/recall 0.9999 | saved checkpoints/step_§.pt"),
)
