"""A tokenizer in the manner of GPT-2 has no padding token."""
# expect: padding-token-missing
import sys

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

raw = Tokenizer(models.WordLevel({"<|endoftext|>": 0, "good": 1, "bad": 2, "film": 3}, unk_token="<|endoftext|>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<|endoftext|>", unk_token="<|endoftext|>")
if "--fixed" in sys.argv:
    tokenizer.pad_token = tokenizer.eos_token
batch = tokenizer(["good film", "a bad bad film"], padding=True, return_tensors="pt")
print(batch["input_ids"].shape)
