"""A model that was loaded in 8 bits is cast after that."""
# modules: bitsandbytes
# expect: quantized-model-not-trainable
# cause: moved-after-loading
import sys
from tempfile import mkdtemp

import torch
from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training
from transformers import AutoModelForSequenceClassification, BertConfig, BertForSequenceClassification
from transformers import BitsAndBytesConfig, Trainer, TrainingArguments

folder = mkdtemp()
config = BertConfig(vocab_size=32, hidden_size=64, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64)
BertForSequenceClassification(config).save_pretrained(folder)
model = AutoModelForSequenceClassification.from_pretrained(
    folder, quantization_config=BitsAndBytesConfig(load_in_8bit=True, llm_int8_skip_modules=["classifier"]), device_map="cpu"
)
if "--fixed" not in sys.argv:
    model.half()
else:
    adapters = LoraConfig(r=2, target_modules=["query", "value"])
    model = get_peft_model(prepare_model_for_kbit_training(model), adapters)
data = [{"input_ids": torch.tensor([1, 2, 3]), "labels": 1}] * 8
args = TrainingArguments(mkdtemp(), max_steps=2, use_cpu=True, report_to=[])
Trainer(model=model, args=args, train_dataset=data).train()
print("trained")
