"""The best model is to be chosen by a metric that evaluation does not give."""
# expect: trainer-arguments-conflict
# cause: metric-name-unknown
import sys

from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

rows = Dataset.from_dict({"input_ids": [[1, 2, 3, 4]] * 8, "attention_mask": [[1] * 4] * 8, "labels": [0, 1] * 4})
config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
model = BertForSequenceClassification(config)
arguments = TrainingArguments(
    output_dir="out", num_train_epochs=1, per_device_train_batch_size=4, report_to="none", use_cpu=True,
    eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True,
    metric_for_best_model="accuracy" if "--fixed" in sys.argv else "f1",
)
trainer = Trainer(
    model=model, args=arguments, train_dataset=rows, eval_dataset=rows,
    compute_metrics=lambda told: {"accuracy": float((told.predictions.argmax(-1) == told.label_ids).mean())},
)
trainer.train()
