"""The labels of a batch are decoded with the -100 that the loss ignores still in them."""
# expect: decode-negative-token-id
# cause: decode-negative-token-id
import sys

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

words = {word: number for number, word in enumerate(["[PAD]", "[UNK]", "the", "cat", "sat", "down"])}
model = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
model.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=model, unk_token="[UNK]", pad_token="[PAD]")
labels = np.array([[2, 3, 4, -100, -100], [2, 3, 4, 5, -100]])
if "--fixed" in sys.argv:
    labels = np.where(labels != -100, labels, tokenizer.pad_token_id)
print(tokenizer.batch_decode(labels, skip_special_tokens=True))
