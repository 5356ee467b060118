"""One of two ranks fails, and the launcher of DeepSpeed kills the other."""
# expect: key-missing
# run: -m deepspeed.launcher.runner --num_gpus 2 --master_port 29544
import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
parser.add_argument("--fixed", action="store_true")
arguments = parser.parse_args()
import deepspeed
import torch

deepspeed.init_distributed(dist_backend="gloo")
row = {"input_ids": [1, 2, 3], "labels": [0]} if arguments.fixed or os.environ["RANK"] == "0" else {"input_ids": [1, 2, 3]}
labels = torch.tensor(row["labels"])
torch.distributed.all_reduce(labels)
print("rank", os.environ["RANK"], "labels", labels.tolist())
torch.distributed.destroy_process_group()
