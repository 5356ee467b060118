"""A model is to be loaded with eight bits, and the package for that is not installed."""
# expect: bitsandbytes-setup
# cause: package-not-installed
import sys
import tempfile

from transformers import AutoModel, BertConfig, BertModel, BitsAndBytesConfig

folder = tempfile.mkdtemp()
config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
BertModel(config).save_pretrained(folder)
more = {} if "--fixed" in sys.argv else {"quantization_config": BitsAndBytesConfig(load_in_8bit=True)}
print(type(AutoModel.from_pretrained(folder, **more)).__name__)
