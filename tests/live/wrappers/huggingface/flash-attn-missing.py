"""Flash attention is asked for, and its package is not installed."""
# expect: flash-attn-missing
import sys

from transformers import AutoModel, BertConfig

config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
chosen = "sdpa" if "--fixed" in sys.argv else "flash_attention_2"
print(AutoModel.from_config(config, attn_implementation=chosen).config._attn_implementation)
