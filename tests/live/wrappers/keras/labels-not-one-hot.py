"""Whole numbers are given to categorical_crossentropy, which wants one-hot rows."""
# expect: keras-shapes-incompatible
# cause: labels-not-encoded-for-loss
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
x, y = rng.normal(size=(64, 16)).astype("float32"), rng.integers(0, 3, 64)
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy" if "--fixed" in sys.argv else "categorical_crossentropy")
model.fit(x, y, epochs=1, verbose=2)
