"""A classifier of tokens learns for two epochs, with evaluations and checkpoints."""
# expect: nothing
from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

rows = Dataset.from_dict({
    "input_ids": [[1, 2, 3, 4], [5, 6, 7, 8]] * 16, "attention_mask": [[1] * 4] * 32, "labels": [0, 1] * 16,
}).train_test_split(test_size=8, seed=0)
config = BertConfig(vocab_size=20, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
model = BertForSequenceClassification(config)
arguments = TrainingArguments(
    output_dir="out", num_train_epochs=4, per_device_train_batch_size=4, report_to="none", use_cpu=True, logging_steps=4,
    eval_strategy="epoch", save_strategy="epoch", learning_rate=5e-3, load_best_model_at_end=True,
)
trainer = Trainer(
    model=model, args=arguments, train_dataset=rows["train"], eval_dataset=rows["test"],
    compute_metrics=lambda told: {"accuracy": float((told.predictions.argmax(-1) == told.label_ids).mean())},
)
trainer.train()
print(trainer.evaluate())
