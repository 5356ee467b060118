"""The learning rate is given under the name that it had in Keras 2."""
# expect: keras-argument-unknown
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
name = "learning_rate" if "--fixed" in sys.argv else "lr"
optimizer = keras.optimizers.Adam(**{name: 1e-3})
print(float(optimizer.learning_rate.numpy()))
