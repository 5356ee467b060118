"""The callback keeps weights alone, under a name that Keras 3 does not take."""
# expect: keras-file-suffix-wrong
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras

name = "best.weights.h5" if "--fixed" in sys.argv else "best.h5"
keep = keras.callbacks.ModelCheckpoint(name, monitor="val_loss", save_best_only=True, save_weights_only=True)
print(keep.filepath)
