"""The images are flat where the first layer wants a row of 16."""
# expect: keras-shapes-incompatible
# cause: input-shape-differs
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
x, y = rng.normal(size=(64, 4, 4)).astype("float32"), rng.integers(0, 3, 64)
if "--fixed" in sys.argv:
    x = x.reshape(64, 16)
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3)])
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, epochs=1, verbose=2)
