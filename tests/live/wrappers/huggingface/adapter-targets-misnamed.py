"""LoRA is told to adapt layers that this architecture does not have."""
# expect: adapter-targets-missing
import sys

from peft import LoraConfig, get_peft_model
from transformers import BertConfig, BertForSequenceClassification

config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
model = BertForSequenceClassification(config)
targets = ["query", "value"] if "--fixed" in sys.argv else ["q_proj", "v_proj"]
model = get_peft_model(model, LoraConfig(r=4, target_modules=targets, task_type="SEQ_CLS"))
model.print_trainable_parameters()
