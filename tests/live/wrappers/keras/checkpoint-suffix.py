"""A checkpoint callback of Keras 2 writes to a file with the suffix hdf5."""
# expect: keras-file-suffix-wrong
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
name = "best.keras" if "--fixed" in sys.argv else "best.hdf5"
keep = keras.callbacks.ModelCheckpoint(name, monitor="loss", save_best_only=True)
x, y = rng.normal(size=(64, 16)).astype("float32"), rng.integers(0, 3, 64)
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x, y, epochs=1, verbose=2, callbacks=[keep])
