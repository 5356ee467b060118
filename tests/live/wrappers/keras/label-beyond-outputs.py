"""A label is as large as the number of outputs."""
# expect: target-out-of-range
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
x, y = rng.normal(size=(64, 16)).astype("float32"), rng.integers(1, 4, 64)
if "--fixed" in sys.argv:
    y = y - 1
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3)])
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, epochs=1, verbose=2)
