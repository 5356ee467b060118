"""The data holds a missing value, and the loss is nan from the first epoch."""
# expect: nan-loss, nan-in-input-data
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
x = rng.normal(size=(64, 16)).astype("float32")
x[5, 3] = np.nan
y = rng.normal(size=(64, 1)).astype("float32")
if "--fixed" in sys.argv:
    x = np.nan_to_num(x)
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, epochs=4, batch_size=8, verbose=2)
