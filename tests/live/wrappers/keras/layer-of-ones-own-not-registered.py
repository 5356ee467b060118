"""A saved model holds a layer of the program that load_model does not know."""
# expect: keras-model-not-ready
# cause: custom-object-or-old-file
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)


class Scale(keras.layers.Layer):
    def build(self, shape):
        self.factor = self.add_weight(shape=(shape[-1],), initializer="ones")

    def call(self, x):
        return x * self.factor


model = keras.Sequential([keras.Input((16,)), Scale(), keras.layers.Dense(3)])
model.save("model.keras")
more = {"custom_objects": {"Scale": Scale}} if "--fixed" in sys.argv else {}
print(keras.models.load_model("model.keras", **more).count_params())
