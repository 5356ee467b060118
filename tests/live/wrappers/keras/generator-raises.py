"""A data set with two workers meets a file that is not there."""
# expect: file-not-found
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)


class Batches(keras.utils.PyDataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        if i == 2 and "--fixed" not in sys.argv:
            np.load("batches/2.npy")
        return rng.normal(size=(8, 16)).astype("float32"), rng.integers(0, 3, 8)


model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(3)])
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(Batches(workers=2, use_multiprocessing=False), epochs=1, verbose=2)
