"""Two ranks save their parts of the optimizer's state, and one rank goes on with them."""
# expect: zero-world-size-changed
# cause: number-of-gpus-changed
import os
import subprocess
import sys

FIXED = "--fixed" in sys.argv


def train(rank, ranks, resumed):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29555")
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(ranks), LOCAL_RANK=str(rank))
    import deepspeed
    import torch

    config = {
        "train_micro_batch_size_per_gpu": 2, "bf16": {"enabled": True}, "zero_optimization": {"stage": 1},
        "optimizer": {"type": "Adam", "params": {"lr": 0.1, "torch_adam": True}},
    }
    model = torch.nn.Linear(4, 2)
    engine, *_ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)
    if resumed:
        engine.load_checkpoint("runs")
    loss = engine(torch.randn(2, 4).bfloat16()).float().square().mean()
    engine.backward(loss)
    engine.step()
    engine.save_checkpoint("runs")
    torch.distributed.destroy_process_group()


def start(ranks, resumed):
    again = [subprocess.Popen([sys.executable, __file__, str(rank), str(ranks), resumed]) for rank in range(ranks)]
    return max(abs(one.wait()) for one in again)


if sys.argv[1:2] in ([], ["--fixed"]):
    sys.exit(start(2, "") or start(2 if FIXED else 1, "resumed"))
train(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
