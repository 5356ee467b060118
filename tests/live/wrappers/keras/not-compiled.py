"""fit is called before compile."""
# expect: keras-model-not-ready
# cause: not-compiled-or-built
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
x, y = rng.normal(size=(64, 16)).astype("float32"), rng.integers(0, 3, 64)
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(3, activation="softmax")])
if "--fixed" in sys.argv:
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x, y, epochs=1, verbose=2)
