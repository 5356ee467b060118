"""The launched script takes no --local_rank, which the launcher adds."""
# expect: script-arguments-wrong
# cause: launcher-adds-local-rank
# run: -m deepspeed.launcher.runner --num_gpus 1 --master_port 29545
import argparse
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--fixed", action="store_true")
if "--fixed" in sys.argv:
    parser.add_argument("--local_rank", type=int, default=0)
arguments = parser.parse_args()
print("epochs", arguments.epochs)
