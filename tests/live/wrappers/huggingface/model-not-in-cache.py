"""A node without network asks the hub for a model that is not in its cache."""
# expect: hub-offline
import os
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = tempfile.mkdtemp()

from transformers import AutoModel, BertConfig

if "--fixed" in sys.argv:
    config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
    model = AutoModel.from_config(config)
else:
    model = AutoModel.from_pretrained("bert-base-uncased")
print(type(model).__name__)
