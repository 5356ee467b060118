"""A scan with nan in one sample: the weights are lost, and the Trainer writes a loss of 0.0 from then on."""
# expect: nan-loss-hidden-by-trainer
# cause: nan-in-input-data
import sys

import torch
from datasets import Dataset
from torch import nn
from transformers import Trainer, TrainingArguments

torch.manual_seed(0)
features = torch.randn(64, 4)
labels = features.sum(1, keepdim=True)
if "--fixed" not in sys.argv:
    features[40, 2] = float("nan")
rows = Dataset.from_dict({"x": features.tolist(), "labels": labels.tolist()}).with_format("torch")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x, labels=None):
        out = self.layer(x)
        return {"loss": nn.functional.mse_loss(out, labels), "logits": out}


arguments = TrainingArguments(
    output_dir="out", num_train_epochs=2, per_device_train_batch_size=4, logging_steps=2, report_to="none", use_cpu=True,
    learning_rate=1e-2, save_strategy="no", disable_tqdm=True,
)
Trainer(model=Net(), args=arguments, train_dataset=rows).train()
