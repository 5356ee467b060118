"""A model of Keras 2 was saved as a folder, which load_model of Keras 3 does not read."""
# expect: keras-model-not-ready, keras-file-suffix-wrong
import os
import pathlib
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras

model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(3)])
if "--fixed" in sys.argv:
    model.save("classifier.keras")
    print(keras.models.load_model("classifier.keras").count_params())
else:
    pathlib.Path("classifier").mkdir()
    pathlib.Path("classifier/saved_model.pb").write_bytes(b"\x08\x01")
    print(keras.models.load_model("classifier").count_params())
