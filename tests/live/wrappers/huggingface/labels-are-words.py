"""The labels are words, and the collator can not make a tensor of them."""
# expect: numpy-object-array, collate-size-mismatch
# cause: text-labels-in-batch
import sys

from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    BertConfig, BertForSequenceClassification, DataCollatorWithPadding, PreTrainedTokenizerFast, Trainer, TrainingArguments,
)

raw = Tokenizer(models.WordLevel({"[PAD]": 0, "[UNK]": 1, "good": 2, "bad": 3, "film": 4, "very": 5}, unk_token="[UNK]"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="[PAD]", unk_token="[UNK]")
rows = Dataset.from_dict({"text": ["good film", "a very bad film"] * 4, "label": ["positive", "negative"] * 4})
if "--fixed" in sys.argv:
    rows = rows.map(lambda row: {"label": ["negative", "positive"].index(row["label"])})
rows = rows.map(lambda row: tokenizer(row["text"], truncation=True, max_length=16), remove_columns=["text"])
config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
model = BertForSequenceClassification(config)
arguments = TrainingArguments(output_dir="out", max_steps=2, per_device_train_batch_size=4, report_to="none", use_cpu=True)
trainer = Trainer(model=model, args=arguments, train_dataset=rows, data_collator=DataCollatorWithPadding(tokenizer))
trainer.train()
