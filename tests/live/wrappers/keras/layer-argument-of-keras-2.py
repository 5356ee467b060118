"""A layer is given an argument that Keras 3 does not take."""
# expect: keras-argument-unknown
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
more = {} if "--fixed" in sys.argv else {"implementation": 2, "input_length": 10}
layer = keras.layers.Embedding(20, 8, **{k: v for k, v in more.items() if k != "input_length"})
print(layer(np.zeros((2, 10), dtype="int32")).shape)
