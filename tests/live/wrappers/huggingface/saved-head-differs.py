"""A checkpoint with five classes is loaded into a model with two."""
# expect: state-dict-mismatch
import sys
import tempfile

from transformers import AutoModelForSequenceClassification, BertConfig, BertForSequenceClassification

config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8, num_labels=5)
with tempfile.TemporaryDirectory() as folder:
    BertForSequenceClassification(config).save_pretrained(folder)
    more = {"ignore_mismatched_sizes": True} if "--fixed" in sys.argv else {}
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=2, **more)
print(model.classifier)
