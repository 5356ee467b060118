"""The script does not know an argument, and says so into a file: the launcher tells exit code 2."""
# run: torchrun --nproc-per-node 2 --redirects 3
# expect: elastic-child-failed
# cause: wrong-arguments
import argparse
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--fixed", action="store_true")
parser.parse_args(sys.argv[1:] if "--fixed" in sys.argv else ["--epoch-count", "3"])
