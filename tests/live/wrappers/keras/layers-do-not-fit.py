"""A layer of one's own multiplies shapes that do not fit, in the midst of call."""
# expect: matmul-shape-mismatch
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)


class Project(keras.layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1] if "--fixed" in sys.argv else 12, 3), initializer="ones")

    def call(self, x):
        return keras.ops.matmul(x, self.kernel)


x, y = rng.normal(size=(64, 16)).astype("float32"), rng.integers(0, 3, 64)
model = keras.Sequential([Project()])
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, epochs=1, verbose=2)
