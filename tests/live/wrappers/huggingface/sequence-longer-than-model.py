"""A text is not cut to the positions that the model has."""
# expect: broadcast-shape-mismatch, embedding-index-out-of-range
# cause: position-embedding-too-long
# notes: sequence-longer-than-model
import sys

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

raw = Tokenizer(models.WordLevel({"[PAD]": 0, "[UNK]": 1, "good": 2, "film": 3}, unk_token="[UNK]"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="[PAD]", unk_token="[UNK]", model_max_length=16)
config = BertConfig(
    vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8, max_position_embeddings=16
)
model = BertModel(config)
batch = tokenizer("a good film " * 12, truncation="--fixed" in sys.argv, return_tensors="pt")
print(model(batch["input_ids"]).last_hidden_state.shape)
