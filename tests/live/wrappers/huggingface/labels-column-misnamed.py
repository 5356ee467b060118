"""The column of the labels is called target, so the Trainer drops it and the model computes no loss."""
# expect: model-returned-no-loss
# cause: labels-missing-in-batch
import sys

from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

column = "labels" if "--fixed" in sys.argv else "target"
rows = Dataset.from_dict({"input_ids": [[1, 2, 3, 4]] * 8, "attention_mask": [[1] * 4] * 8, column: [0, 1] * 4})
config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
model = BertForSequenceClassification(config)
arguments = TrainingArguments(output_dir="out", max_steps=2, per_device_train_batch_size=4, report_to="none", use_cpu=True)
trainer = Trainer(model=model, args=arguments, train_dataset=rows)
trainer.train()
