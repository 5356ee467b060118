"""TRL's trainer looks for a column of texts, and the rows have none of that name."""
# expect: dataset-columns-do-not-fit-model, key-missing
import sys

from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import SFTConfig, SFTTrainer

raw = Tokenizer(models.WordLevel({"<eos>": 0, "<unk>": 1, "good": 2, "bad": 3, "film": 4}, unk_token="<unk>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<eos>", unk_token="<unk>", pad_token="<eos>")
column = "text" if "--fixed" in sys.argv else "content"
rows = Dataset.from_dict({column: ["good film", "bad film"] * 4})
model = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=32, n_embd=8, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0))
arguments = SFTConfig(output_dir="out", max_steps=2, per_device_train_batch_size=4, report_to="none", use_cpu=True, bf16=False)
trainer = SFTTrainer(model=model, args=arguments, train_dataset=rows, processing_class=tokenizer)
trainer.train()
