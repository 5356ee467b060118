"""The name of an option of TrainingArguments changed with the version."""
# expect: unexpected-keyword-argument
import sys

from transformers import TrainingArguments

name = "eval_strategy" if "--fixed" in sys.argv else "evaluation_strategy"
arguments = TrainingArguments(output_dir="out", **{name: "epoch"}, report_to="none", use_cpu=True)
print(arguments.eval_strategy)
