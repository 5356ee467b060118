"""The data has three classes, the head that from_config made has the default of two."""
# expect: target-out-of-range
import sys

from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

rows = Dataset.from_dict({"input_ids": [[1, 2, 3, 4]] * 9, "attention_mask": [[1] * 4] * 9, "labels": [0, 1, 2] * 3})
config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
if "--fixed" in sys.argv:
    config.num_labels = 3
model = BertForSequenceClassification(config)
arguments = TrainingArguments(output_dir="out", max_steps=2, per_device_train_batch_size=9, report_to="none", use_cpu=True)
trainer = Trainer(model=model, args=arguments, train_dataset=rows)
trainer.train()
