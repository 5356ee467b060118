"""A function of torch is called on a symbolic tensor while a functional model is built."""
# expect: keras-symbolic-tensor
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
import torch

inputs = keras.Input((16,))
hidden = keras.layers.Dense(8)(inputs)
hidden = keras.ops.relu(hidden) if "--fixed" in sys.argv else torch.relu(hidden)
model = keras.Model(inputs, keras.layers.Dense(3)(hidden))
print(model.count_params())
