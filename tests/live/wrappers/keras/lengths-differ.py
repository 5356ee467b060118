"""There are more inputs than targets."""
# expect: keras-shapes-incompatible
# cause: lengths-differ
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
x, y = rng.normal(size=(64, 16)).astype("float32"), rng.integers(0, 3, 60)
if "--fixed" in sys.argv:
    x = x[: len(y)]
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x, y, epochs=1, verbose=2)
