"""A model of images is asked for as one that writes text."""
# expect: model-type-unknown
# cause: wrong-auto-class
import sys

from transformers import AutoModelForCausalLM, AutoModelForImageClassification, ViTConfig

config = ViTConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8, image_size=32, patch_size=16)
kind = AutoModelForImageClassification if "--fixed" in sys.argv else AutoModelForCausalLM
print(type(kind.from_config(config)).__name__)
