"""The model's vocabulary is padded to a round number, and it predicts an id that the tokenizer does not have."""
# expect: joined-item-not-text
# cause: decode-negative-token-id
import sys

import torch
from transformers import BertTokenizer

words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat"]
with open("vocab.txt", "w") as file:
    file.write("\n".join(words))
tokenizer = BertTokenizer("vocab.txt")
logits = torch.zeros(4, 64)
logits[torch.arange(4), torch.tensor([5, 6, 7, 40])] = 1.0
if "--fixed" in sys.argv:
    logits = logits[:, : len(tokenizer)]
tokens = tokenizer.convert_ids_to_tokens(logits.argmax(1).tolist())
print(" ".join(tokens))
